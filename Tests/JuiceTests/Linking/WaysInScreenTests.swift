import AccountClient
import Foundation
import Testing

@testable import JuiceScreens
@testable import juice

extension WayIn {
    static let time = Date(timeIntervalSince1970: 600)

    static let apple = WayIn(
        id: "idn_apple", isApple: true, address: "johnny@example.com", lastSignInAt: time, isCurrent: true)
    static let hidden = WayIn(
        id: "idn_hidden", isApple: true, address: "x7k2@privaterelay.appleid.com", isPrivateEmail: true,
        lastSignInAt: time, isCurrent: false)
    static let email = WayIn(
        id: "idn_email", isApple: false, address: "johnny@home.example", hasPassword: true, lastSignInAt: time,
        isCurrent: false)
}

extension SignInHandle {
    static let sample = SignInHandle(secret: "a secret", user: "001999.0a1b.0002", expiresAt: WayIn.time)
}

extension MergeReading {
    static let sample = MergeReading(
        moved: ["Apple Account johnny@example.com", "your phone number"],
        lost: ["your name", "2 sessions of the other account"])
}

struct WaysInScreenTests {
    /// The person looks at these ways in.
    private func listing(_ ways: WayIn..., profile: Profile = .johnny) -> JuiceModel {
        var model = JuiceModel(after: .launched, .accountFound(profile), .key(.character("w")))
        _ = model.handle(.waysInListed(ways))
        return model
    }

    /// The person adds an Apple Account.
    private var adding: JuiceModel {
        var model = listing(.apple, .email)
        _ = model.handle(.key(.character("a")))
        return model
    }

    @Test("W asks for the ways in, and shows them")
    func lists() {
        var model = JuiceModel.atResult
        #expect(model.handle(.key(.character("w"))) == [.listWaysIn])
        #expect(model.screen == .askingWaysIn)
        #expect(model.handle(.waysInListed([.apple, .email])) == [])
        #expect(model.screen == .waysIn([.apple, .email]))
        #expect(model.handle(.key(.escape)) == [])
        #expect(model.screen == .result(.johnny))
    }

    @Test("If the service fails, the person stays where they were")
    func fails() {
        var model = JuiceModel.atResult
        _ = model.handle(.key(.character("w")))
        #expect(model.handle(.waysInFailed(.problem("No."))) == [])
        #expect(model.screen == .result(.johnny) && model.remark == "No.")
    }

    @Test("The last way in can't be removed, and an account has one address")
    func buttons() {
        #expect(listing(.apple).screen.buttons == [.addApple, .addAddress, .enterLink, .back, .quit])
        #expect(listing(.apple, .email).screen.buttons == [.addApple, .remove(1), .remove(2), .back, .quit])
    }

    // MARK: Adding

    @Test("A sends the person to Apple, and shows what they have then")
    func addsApple() {
        var model = listing(.apple, .email)
        #expect(model.handle(.key(.character("a"))) == [.changeWaysIn(.addApple, password: nil)])
        #expect(model.screen == .changingWaysIn(.addApple, .wait, isCancelling: false))
        #expect(model.handle(.waysInChanged([.apple, .email, .hidden], .linked)) == [])
        #expect(model.screen == .waysIn([.apple, .email, .hidden]))
        #expect(model.remark == LoginNotice.linked.text)
    }

    @Test("E asks for an address and a password, and then for the link from the mail")
    func addsAddress() {
        var model = listing(.apple)
        _ = model.handle(.key(.character("e")))
        #expect(model.type("johnny@home.example") == [])
        let change = WaysInChange.addAddress(email: "johnny@home.example", password: TypedText("a long password"))
        #expect(model.type("a long password") == [.changeWaysIn(change, password: nil)])
        #expect(model.handle(.waysInChanged([.apple], .linkSent)) == [])
        #expect(model.screen == .waysIn([.apple]))
        _ = model.handle(.key(.character("m")))
        let secret = String(repeating: "a", count: 43)
        let link = EmailLink(secret).map { WaysInChange.finishAddress($0) }
        #expect(link.map { model.type(secret) == [.changeWaysIn($0, password: nil)] } == true)
        #expect(model.handle(.waysInChanged([.apple, .email], .linked)) == [])
        #expect(model.screen == .waysIn([.apple, .email]))
    }

    @Test("A text that isn't a link isn't sent")
    func noLink() {
        var model = listing(.apple)
        _ = model.handle(.key(.character("m")))
        #expect(model.type("nonsense") == [])
        #expect(model.screen == .waysIn([.apple]) && model.remark?.contains("no link") == true)
    }

    @Test("Esc leaves a form for the ways in", arguments: ["e", "m"] as [Character])
    func leavesForm(key: Character) {
        var model = listing(.apple)
        _ = model.handle(.key(.character(key)))
        #expect(model.handle(.key(.escape)) == [])
        #expect(model.screen == .waysIn([.apple]))
    }

    @Test("A person who hides their address reads the consent text, and the change goes on", arguments: [true, false])
    func consent(agrees: Bool) {
        var model = adding
        #expect(model.handle(.consentAsked(.short)) == [])
        #expect(model.screen == .consent(.short))
        #expect(model.handle(.key(.character(agrees ? "y" : "n"))) == [.answerQuestion(agrees)])
        #expect(model.screen == .changingWaysIn(.addApple, .wait, isCancelling: false))
        #expect(model.handle(.waysInFailed(.notChanged)) == [])
        #expect(model.screen == .waysIn([.apple, .email]))
    }

    @Test("C cancels the change, and the screen shows how it ended")
    func cancels() {
        var model = adding
        #expect(model.handle(.key(.character("c"))) == [.cancelWaysIn])
        #expect(model.screen == .changingWaysIn(.addApple, .wait, isCancelling: true))
        #expect(model.handle(.waysInFailed(.notChanged)) == [])
        #expect(model.screen == .waysIn([.apple, .email]))
    }

    @Test("Quitting during a change cancels it at the account service first")
    func quits() {
        var model = adding
        #expect(model.handle(.key(.interrupt)) == [.cancelWaysIn])
        #expect(model.handle(.waysInFailed(.notChanged)) == [.exit(status: 130)])
    }

    // MARK: An Apple Account of another account

    @Test("The person says whether they sign in to the other account", arguments: [true, false])
    func conflict(goes: Bool) {
        var model = adding
        #expect(model.handle(.conflictFound(.sample)) == [])
        #expect(model.screen == .conflict(.sample))
        let effects = model.handle(.key(.character(goes ? "y" : "n")))
        #expect(effects == (goes ? [.changeWaysIn(.goOver(.sample), password: nil)] : []))
        guard goes else {
            #expect(model.screen == .waysIn([.apple, .email]))
            return
        }
        #expect(model.handle(.signedIn(.reachable)) == [.askAppleState])
        #expect(model.screen == .result(.reachable))
        // Nothing is under way any more that a late event could end.
        #expect(model.handle(.waysInFailed(.problem("No."))) == [])
        #expect(model.screen == .result(.reachable))
    }

    @Test("If the handle is too old, the person stays in this account")
    func lateConflict() {
        var model = adding
        _ = model.handle(.conflictFound(.sample))
        _ = model.handle(.key(.character("y")))
        #expect(model.handle(.waysInFailed(.problem("It is too old."))) == [])
        #expect(model.screen == .waysIn([.apple, .email]) && model.remark == "It is too old.")
    }

    @Test("The person sees what a merge does, and says whether they want it", arguments: [true, false])
    func merge(wants: Bool) {
        var model = adding
        _ = model.handle(.conflictFound(.sample))
        #expect(model.handle(.key(.character("m"))) == [.changeWaysIn(.merge(.sample), password: nil)])
        #expect(model.screen == .changingWaysIn(.merge(.sample), .wait, isCancelling: false))
        #expect(model.handle(.mergePlanned(.sample)) == [])
        #expect(model.screen == .confirmingMerge(.sample))
        #expect(model.handle(.key(.character(wants ? "y" : "n"))) == [.answerQuestion(wants)])
        #expect(model.screen == .changingWaysIn(.merge(.sample), .wait, isCancelling: false))
        let end: Event = wants ? .waysInChanged([.apple, .email, .hidden], .merged) : .waysInFailed(.notChanged)
        #expect(model.handle(end) == [])
        #expect(model.screen == .waysIn(wants ? [.apple, .email, .hidden] : [.apple, .email]))
    }

    @Test("A merge plan that arrives after the person has left is declined")
    func latePlan() {
        var model = listing(.apple)
        #expect(model.handle(.mergePlanned(.sample)) == [.answerQuestion(false)])
        #expect(model.screen == .waysIn([.apple]))
    }

    // MARK: Removing

    @Test("A number asks once more, and then removes that way in")
    func removes() {
        var model = listing(.apple, .email)
        #expect(model.handle(.key(.character("2"))) == [])
        #expect(model.screen == .confirmingRemoval(.email))
        #expect(model.handle(.key(.character("y"))) == [.changeWaysIn(.remove(id: "idn_email"), password: nil)])
        #expect(model.handle(.waysInChanged([.apple], .unlinked(removal: nil))) == [])
        #expect(model.screen == .waysIn([.apple]))
    }

    @Test("Esc keeps the way in")
    func keeps() {
        var model = listing(.apple, .email)
        _ = model.handle(.key(.character("1")))
        #expect(model.handle(.key(.escape)) == [])
        #expect(model.screen == .waysIn([.apple, .email]))
    }

    @Test("Removing the way in that opened this session leads to the login")
    func signsOut() {
        var model = listing(.apple, .email)
        _ = model.handle(.key(.character("1")))
        _ = model.handle(.key(.character("y")))
        let notice = LoginNotice.signedOutByUnlinking(removal: "Steps.")
        #expect(model.handle(.signedOut(notice)) == [])
        #expect(model.screen == .login(notice) && notice.text.hasSuffix("Steps."))
        #expect(model.handle(.sessionEnded(.sessionEnded)) == [])
        #expect(model.screen == .login(notice))
    }

    // MARK: A proof

    @Test("A person who signed in by password long ago types it, and the change goes on")
    func proof() {
        var model = listing(.apple, .email, profile: .byPassword)
        _ = model.handle(.key(.character("a")))
        #expect(model.handle(.proofNeeded(.addApple)) == [])
        #expect(model.screen == .form(LoginForm(.proof(.addApple))))
        #expect(model.type("a password") == [.changeWaysIn(.addApple, password: TypedText("a password"))])
        #expect(model.screen == .changingWaysIn(.addApple, .wait, isCancelling: false))
    }

    @Test("A person without a password is told how to prove who they are")
    func proofByLink() {
        var profile = Profile.byPassword
        profile.hasPassword = false
        var model = listing(.email, profile: profile)
        _ = model.handle(.key(.character("a")))
        #expect(model.handle(.proofNeeded(.addApple)) == [])
        #expect(model.screen == .waysIn([.email]) && model.remark?.contains("new link") == true)
    }
}
