import Foundation
import Testing

@testable import JuiceScreens
@testable import juice

struct SignInScreenTests {
    @Test("A launch looks for an account, and shows nothing to press but Quit")
    func launch() {
        var model = JuiceModel()
        #expect(model.handle(.launched) == [.findAccount])
        #expect(model.screen == .looking)
        #expect(model.screen.buttons == [.quit])
    }

    @Test("An account that is there is shown, without a sign-in")
    func existingAccount() {
        var model = JuiceModel(after: .launched)
        #expect(model.handle(.accountFound(.johnny)) == [.askAppleState])
        #expect(model.screen == .result(.johnny))
    }

    @Test("Without an account comes the login, with nothing to complain of")
    func noAccount() {
        #expect(JuiceModel.atLogin.screen == .login(nil))
    }

    @Test("If the account service didn't answer, the person can look again")
    func lookAgain() {
        var notice = LoginNotice.problem("The account service does not answer.")
        notice.canLookAgain = true
        var model = JuiceModel(after: .launched, .lookFailed(notice))
        #expect(model.screen.buttons.suffix(3) == [.signIn, .lookAgain, .quit])
        #expect(model.handle(.key(.character("r"))) == [.findAccount])
        #expect(model.screen == .looking)
    }

    @Test("Return and S begin a sign-in", arguments: [Key.enter, .character("s"), .character("S")])
    func signIn(key: Key) {
        var model = JuiceModel.atLogin
        #expect(model.handle(.key(key)) == [.signIn(nil)])
        #expect(model.screen == .waiting(.wait, isCancelling: false))
    }

    @Test("A second Return during a sign-in does nothing")
    func doubleReturn() {
        var model = JuiceModel.waiting
        #expect(model.handle(.key(.enter)) == [])
        #expect(model.screen == .waiting(.wait, isCancelling: false))
    }

    @Test("The person is told what to do")
    func instruction() throws {
        let page = try #require(URL(string: "http://localhost:4000/device"))
        let instruction = Instruction.device(code: "BCDF-GHJK", page: page, expiresAt: .distantFuture)
        let model = JuiceModel(after: .launched, .accountFound(nil), .key(.enter), .instructed(instruction))
        #expect(model.screen == .waiting(instruction, isCancelling: false))
    }

    @Test(
        "C and Esc give a sign-in up, and the login returns when it has ended",
        arguments: [Key.character("c"), .escape])
    func cancel(key: Key) {
        var model = JuiceModel.waiting
        #expect(model.handle(.key(key)) == [.cancelSignIn])
        #expect(model.screen == .waiting(.wait, isCancelling: true))
        #expect(model.handle(.key(key)) == [])
        #expect(model.handle(.signInEnded(.cancelled)) == [])
        #expect(model.screen == .login(.cancelled))
    }

    @Test("A sign-in that succeeds before it is cancelled is shown, because it is stored")
    func lateSuccess() {
        let model = JuiceModel(
            after: .launched, .accountFound(nil), .key(.enter), .key(.escape), .signedIn(.johnny))
        #expect(model.screen == .result(.johnny))
    }

    @Test("Instructions for a sign-in that is over change nothing")
    func lateInstruction() {
        var model = JuiceModel.atLogin
        #expect(model.handle(.instructed(.wait)) == [])
        #expect(model.screen == .login(nil))
    }

    @Test("A sign-in that failed says so on the login screen")
    func failure() {
        let notice = LoginNotice.problem("The account service does not answer.")
        let model = JuiceModel(after: .launched, .accountFound(nil), .key(.enter), .signInEnded(notice))
        #expect(model.screen == .login(notice))
    }

    @Test("Sign Out clears the view at once and then the store, and returns to the login")
    func signOut() {
        var model = JuiceModel.atResult
        #expect(model.handle(.key(.character("o"))) == [.signOut])
        #expect(model.screen == .signingOut)
        #expect(model.handle(.signedOut(nil)) == [])
        #expect(model.screen == .login(nil))
    }

    @Test("Return on the result signs nobody out before they have chosen to")
    func returnOnResult() {
        var model = JuiceModel.atResult
        #expect(model.handle(.key(.enter)) == [])
        #expect(model.handle(.key(.tab)) == [])
        #expect(model.handle(.key(.enter)) == [.signOut])
    }

    @Test("A change of the account is shown on the account's screen, and ignored at the login")
    func accountChanged() {
        var unconfirmed = Profile.johnny
        unconfirmed.isConfirmed = false
        var model = JuiceModel(after: .launched, .accountFound(unconfirmed), .key(.tab))
        #expect(model.handle(.accountChanged(.johnny)) == [])
        #expect(model.screen == .result(.johnny))
        #expect(model.focus == .signOut)
        model = .atLogin
        #expect(model.handle(.accountChanged(.johnny)) == [])
        #expect(model.screen == .login(nil))
    }

    @Test("A remark is shown until the person does something")
    func remark() {
        var model = JuiceModel(after: .launched, .remarked("There is no keyring."), .accountFound(nil))
        #expect(model.remark == "There is no keyring.")
        _ = model.handle(.key(.tab))
        #expect(model.remark == "There is no keyring.")
        _ = model.handle(.key(.character("s")))
        #expect(model.remark == nil)
    }

    @Test("When the service ends the session, the result is taken away")
    func sessionEnded() {
        var model = JuiceModel.atResult
        #expect(model.handle(.sessionEnded(.sessionEnded)) == [])
        #expect(model.screen == .login(.sessionEnded))
    }

    @Test("The end of a session after Sign Out shows no message")
    func sessionEndedBySignOut() {
        var model = JuiceModel(after: .launched, .accountFound(.johnny), .key(.character("o")))
        #expect(model.handle(.sessionEnded(.sessionEnded)) == [])
        #expect(model.screen == .signingOut)
    }
}
