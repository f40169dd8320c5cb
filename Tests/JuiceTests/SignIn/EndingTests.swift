import Testing

@testable import JuiceScreens
@testable import juice

struct EndingTests {
    @Test("Q ends Juice on screens where nothing is under way", arguments: [JuiceModel.atLogin, .atResult])
    func quit(model: JuiceModel) {
        var model = model
        #expect(model.handle(.key(.character("q"))) == [.exit(status: 0)])
    }

    @Test("Ctrl-C leaves the status that shells expect of it")
    func interrupt() {
        var model = JuiceModel.atResult
        #expect(model.handle(.key(.interrupt)) == [.exit(status: 130)])
    }

    @Test("Ctrl-C ends Juice at once while it looks for an account")
    func interruptWhileLooking() {
        var model = JuiceModel(after: .launched)
        #expect(model.handle(.key(.interrupt)) == [.exit(status: 130)])
    }

    @Test(
        "Quitting during a sign-in cancels the sign-in first",
        arguments: [(Key.character("q"), Int32(0)), (.interrupt, 130)])
    func quitDuringSignIn(key: Key, status: Int32) {
        var model = JuiceModel.waiting
        #expect(model.handle(.key(key)) == [.cancelSignIn])
        #expect(model.handle(.signInEnded(.cancelled)) == [.exit(status: status)])
    }

    @Test("Quitting twice waits for nothing")
    func quitTwice() {
        var model = JuiceModel.waiting
        #expect(model.handle(.key(.interrupt)) == [.cancelSignIn])
        #expect(model.handle(.key(.interrupt)) == [.exit(status: 130)])
    }

    @Test("Quitting while a sign-in is being given up waits for the same end")
    func quitAfterCancel() {
        var model = JuiceModel.waiting
        #expect(model.handle(.key(.escape)) == [.cancelSignIn])
        #expect(model.handle(.key(.character("q"))) == [])
        #expect(model.handle(.signInEnded(.cancelled)) == [.exit(status: 0)])
    }

    @Test(
        "A signal that ends the process is obeyed at once, whatever is under way",
        arguments: [
            JuiceModel.atLogin, .waiting, .atResult,
        ])
    func terminated(model: JuiceModel) {
        var model = model
        #expect(model.handle(.terminated(status: 143)) == [.exit(status: 143)])
    }

    @Test("At the end of input, Juice ends on the next screen that would wait for a key")
    func inputEnded() {
        var model = JuiceModel(after: .launched)
        #expect(model.handle(.inputEnded) == [])
        #expect(model.handle(.accountFound(.johnny)) == [.exit(status: 0)])
    }

    @Test("A sign-in continues after the end of input, and then Juice ends")
    func inputEndedDuringSignIn() {
        var model = JuiceModel.waiting
        #expect(model.handle(.inputEnded) == [])
        #expect(model.handle(.signedIn(.johnny)) == [.exit(status: 0)])
        #expect(model.screen == .result(.johnny))
    }

    @Test("A script sees by the status that a sign-in has failed")
    func failureAfterInputEnded() {
        var model = JuiceModel.waiting
        _ = model.handle(.inputEnded)
        #expect(model.handle(.signInEnded(.problem("No."))) == [.exit(status: 1)])
    }

    @Test("A script sees no failure when the person did not want to sign in")
    func cancelAfterInputEnded() {
        var model = JuiceModel.waiting
        _ = model.handle(.inputEnded)
        #expect(model.handle(.signInEnded(.cancelled)) == [.exit(status: 0)])
    }

    @Test("Keys that were typed before a screen appears go to that screen")
    func typedAhead() {
        var model = JuiceModel(after: .launched, .key(.character("s")), .inputEnded)
        #expect(model.handle(.accountFound(nil)) == [.signIn(nil)])
        #expect(model.handle(.signedIn(.johnny)) == [.exit(status: 0)])
    }

    @Test("Keys that a screen doesn't use do nothing", arguments: [JuiceModel.atLogin, .waiting, .atResult])
    func unknownKeys(model: JuiceModel) {
        var model = model
        let screen = model.screen
        #expect(model.handle(.key(.character("x"))) == [])
        #expect(model.handle(.resized) == [])
        #expect(model.screen == screen)
    }
}
