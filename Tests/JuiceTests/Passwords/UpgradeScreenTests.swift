import AccountClient
import Testing

@testable import JuiceScreens
@testable import juice

struct UpgradeScreenTests {
    /// The person has typed their password, and is asked about the sessions elsewhere.
    private var confirming: JuiceModel {
        var model = JuiceModel(after: .launched, .accountFound(.byPassword), .key(.character("u")))
        #expect(model.type("a password") == [])
        return model
    }

    private var upgrading: JuiceModel {
        var model = confirming
        _ = model.handle(.key(.character("n")))
        return model
    }

    @Test("The upgrade is offered only to a person who signs in without Apple")
    func offered() {
        #expect(JuiceModel(after: .launched, .accountFound(.byPassword)).screen.buttons.contains(.upgrade))
        #expect(!JuiceModel.atResult.screen.buttons.contains(.upgrade))
    }

    @Test("The password is asked first, and then what becomes of sessions elsewhere", arguments: [true, false])
    func begins(endsOthers: Bool) {
        var model = confirming
        #expect(model.screen == .confirmingUpgrade(password: TypedText("a password")))
        #expect(
            model.handle(.key(.character(endsOthers ? "y" : "n")))
                == [.upgrade(password: TypedText("a password"), endingOthers: endsOthers)])
        #expect(model.screen == .upgrading(.wait, isCancelling: false))
    }

    @Test("A person without a password isn't asked for it")
    func withoutPassword() {
        var profile = Profile.byPassword
        profile.hasPassword = false
        var model = JuiceModel(after: .launched, .accountFound(profile), .key(.character("u")))
        #expect(model.screen == .confirmingUpgrade(password: nil))
        #expect(model.handle(.key(.character("y"))) == [.upgrade(password: nil, endingOthers: true)])
    }

    @Test("Esc and B go back before anything is done", arguments: [Key.escape, .character("b")])
    func back(key: Key) {
        var model = confirming
        #expect(model.handle(.key(key)) == [])
        #expect(model.screen == .result(.byPassword))
        var typing = JuiceModel(after: .launched, .accountFound(.byPassword), .key(.character("u")))
        #expect(typing.handle(.key(.escape)) == [])
        #expect(typing.screen == .result(.byPassword))
    }

    @Test("Afterwards the person is shown with Apple, and told that the password is gone")
    func done() {
        var model = upgrading
        #expect(model.handle(.upgraded(.johnny)) == [.askAppleState])
        #expect(model.screen == .result(.johnny))
        #expect(model.remark?.contains("password is gone") == true)
    }

    @Test("An upgrade that failed says why, and changes nothing")
    func failed() {
        var model = upgrading
        #expect(model.handle(.upgradeEnded(.problem("No."))) == [])
        #expect(model.screen == .result(.byPassword))
        #expect(model.remark == "No.")
    }

    @Test("A person who hides their address reads the consent text, and the upgrade goes on", arguments: [true, false])
    func consent(agrees: Bool) {
        var model = upgrading
        #expect(model.handle(.consentAsked(.short)) == [])
        #expect(model.screen == .consent(.short))
        #expect(model.handle(.key(.character(agrees ? "y" : "n"))) == [.answerQuestion(agrees)])
        #expect(model.screen == .upgrading(.wait, isCancelling: false))
    }

    @Test("C cancels the upgrade, and the screen shows how it ended")
    func cancels() {
        var model = upgrading
        #expect(model.handle(.key(.character("c"))) == [.cancelUpgrade])
        #expect(model.screen == .upgrading(.wait, isCancelling: true))
        #expect(model.handle(.upgradeEnded(.notChanged)) == [])
        #expect(model.screen == .result(.byPassword))
    }

    @Test("Quitting during the upgrade cancels it at the account service first")
    func quits() {
        var model = upgrading
        #expect(model.handle(.key(.interrupt)) == [.cancelUpgrade])
        #expect(model.handle(.upgradeEnded(.notChanged)) == [.exit(status: 130)])
    }
}
