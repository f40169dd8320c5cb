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

    @Test("Ctrl-C while an account is looked for does not wait")
    func interruptWhileLooking() {
        var model = JuiceModel(after: .launched)
        #expect(model.handle(.key(.interrupt)) == [.exit(status: 130)])
    }

    @Test(
        "During a sign-in, quitting first gives that up",
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

    @Test("When no key can come any more, Juice ends on the next screen that would wait for one")
    func inputEnded() {
        var model = JuiceModel(after: .launched)
        #expect(model.handle(.inputEnded) == [])
        #expect(model.handle(.accountFound(.johnny)) == [.exit(status: 0)])
    }

    @Test("A sign-in goes on when no key can come any more, and its end is the end")
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

    @Test("What was typed before the screen was there is taken by that screen")
    func typedAhead() {
        var model = JuiceModel(after: .launched, .key(.character("s")), .inputEnded)
        #expect(model.handle(.accountFound(nil)) == [.signIn(nil)])
        #expect(model.handle(.signedIn(.johnny)) == [.exit(status: 0)])
    }

    @Test("Keys that mean nothing to a screen do nothing", arguments: [JuiceModel.atLogin, .waiting, .atResult])
    func unknownKeys(model: JuiceModel) {
        var model = model
        let screen = model.screen
        #expect(model.handle(.key(.character("x"))) == [])
        #expect(model.handle(.resized) == [])
        #expect(model.screen == screen)
    }
}
