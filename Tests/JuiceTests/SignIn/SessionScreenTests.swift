import AccountClient
import Testing

@testable import JuiceScreens
@testable import juice

struct SessionScreenTests {
    private var atSessions: JuiceModel {
        JuiceModel(after: .launched, .accountFound(.johnny), .key(.character("l")), .sessionsListed(.three))
    }

    @Test("L lists the sessions, and B goes back to the account", arguments: [Key.character("b"), .escape])
    func list(back: Key) {
        var model = JuiceModel.atResult
        #expect(model.handle(.key(.character("l"))) == [.listSessions])
        #expect(model.screen == .askingSessions)
        #expect(model.handle(.sessionsListed(.three)) == [])
        #expect(model.screen.buttons == [.end(1), .end(2), .endOthers, .back, .quit])
        #expect(model.handle(.key(back)) == [])
        #expect(model.screen == .result(.johnny))
    }

    @Test("A number ends the other session that has it", arguments: [("1", "ses_2"), ("2", "ses_1")])
    func end(key: Character, id: String) {
        var model = atSessions
        #expect(model.handle(.key(.character(key))) == [.endSession(id: id)])
        #expect(model.handle(.sessionsListed([])) == [])
        #expect(model.screen.buttons == [.back, .quit])
    }

    @Test("E ends all other sessions; a number that isn't listed does nothing")
    func others() {
        var model = atSessions
        #expect(model.handle(.key(.character("3"))) == [])
        #expect(model.handle(.key(.character("e"))) == [.endOtherSessions])
    }

    @Test("If there is only the person's own session, the list has no buttons that end sessions")
    func alone() {
        var model = JuiceModel(after: .launched, .accountFound(.johnny), .key(.character("l")))
        _ = model.handle(.sessionsListed([SessionRow].three.filter(\.isCurrent)))
        #expect(model.screen.buttons == [.back, .quit])
    }

    @Test("If the sessions can't be listed, the account's screen says why")
    func failure() {
        var model = JuiceModel(after: .launched, .accountFound(.johnny), .key(.character("l")))
        #expect(model.handle(.sessionsFailed(.problem("No."))) == [])
        #expect(model.screen == .result(.johnny))
        #expect(model.remark == "No.")
    }

    @Test("When the session ends meanwhile, the login says so, and a late list is ignored")
    func ended() {
        var model = atSessions
        #expect(model.handle(.sessionEnded(.appleAccessEnded)) == [])
        #expect(model.screen == .login(.appleAccessEnded))
        #expect(model.handle(.sessionsListed(.three)) == [])
        #expect(model.screen == .login(.appleAccessEnded))
    }

    @Test("The login says that the account was merged on another device")
    func merged() {
        let notice = LoginNotice(SignOutReason.accountMerged(into: "acc_2"))
        #expect(notice == .accountMerged && notice?.text.contains("Sign in again") == true)
        #expect(LoginNotice(SignOutReason.signedOut) == nil)
    }

    @Test("The account's screen asks for the state at Apple, and keeps it when the account changes")
    func appleState() {
        var model = JuiceModel(after: .launched)
        #expect(model.handle(.accountFound(.johnny)) == [.askAppleState])
        _ = model.handle(.appleStateTold(.authorized))
        _ = model.handle(.accountChanged(.johnny))
        var expected = Profile.johnny
        expected.appleState = .authorized
        #expect(model.screen == .result(expected))
        _ = model.handle(.appleStateTold(nil))
        #expect(model.screen == .result(.johnny))
    }

    @Test("News about an account that isn't shown any more is ignored")
    func late() {
        var model = JuiceModel(after: .launched, .accountFound(.johnny), .key(.character("o")), .signedOut(nil))
        _ = model.handle(.appleStateTold(.authorized))
        _ = model.handle(.accountChanged(.johnny))
        #expect(model.screen == .login(nil))
    }
}
