import AccountClient
import Foundation
import Testing

@testable import JuiceScreens

extension Profile {
    static let johnny = Profile(
        userIdentifier: "001999.0a1b2c3d4e5f60718293a4b5c6d7e8f9.0001", givenName: "Johnny", familyName: "Appleseed",
        email: "johnny@example.com")
}

extension JuiceModel {
    /// After these events, whatever they asked for.
    init(after events: Event...) {
        self.init()
        for event in events { _ = handle(event) }
    }

    static var atLogin: JuiceModel { JuiceModel(after: .launched, .accountFound(nil)) }
    static var atResult: JuiceModel { JuiceModel(after: .launched, .accountFound(.johnny)) }
}

@Suite("Juice's screens as views with buttons and fields")
struct ViewEventTests {
    private static func link() throws -> EmailLink {
        try #require(EmailLink("https://accounts.example.com/email-links/abcdefghijklmnopqrstuvwx"))
    }

    @Test("A press counts only while the screen has the button")
    func press() {
        var model = JuiceModel.atLogin
        #expect(model.handle(.pressed(.signOut)) == [])
        #expect(model.screen == .login(nil))
        #expect(model.handle(.pressed(.signIn)) == [.signIn(nil)])
        #expect(model.handle(.pressed(.signIn)) == [], "the first press is under way")
    }

    @Test("A form comes whole, and its address is remembered")
    func form() {
        var model = JuiceModel.atLogin
        _ = model.handle(.pressed(.logIn))
        var form = LoginForm(.logIn)
        form[.email] = "johnny@example.com"
        form[.password] = "a long password"
        #expect(
            model.handle(.submitted(form))
                == [.logIn(SavedPassword(email: "johnny@example.com", password: "a long password"))])
        #expect(model.screen == .loggingIn)
        #expect(model.loginEmail == "johnny@example.com")
    }

    @Test("A form that the screen does not show any more is dropped")
    func lateForm() {
        var model = JuiceModel.atLogin
        _ = model.handle(.pressed(.forgotPassword))
        var form = LoginForm(.emailLink)
        form[.email] = "johnny@example.com"
        #expect(model.handle(.submitted(form)) == [])
        #expect(model.screen == .form(LoginForm(.forgottenPassword)))
    }

    @Test("An empty field leaves the form")
    func emptyField() {
        var model = JuiceModel.atLogin
        _ = model.handle(.pressed(.emailLink))
        #expect(model.handle(.submitted(LoginForm(.emailLink))) == [])
        #expect(model.screen == .login(nil))
    }

    @Test("Going back leaves a form, gives up a sign-in, and otherwise does nothing")
    func back() {
        var model = JuiceModel.atLogin
        _ = model.handle(.pressed(.createAccount))
        _ = model.handle(.left)
        #expect(model.screen == .login(nil))
        #expect(model.handle(.left) == [])

        _ = model.handle(.pressed(.signIn))
        #expect(model.handle(.left) == [.cancelSignIn])
    }

    @Test("A value of the profile is changed by itself")
    func edit() {
        var model = JuiceModel.atResult
        let edit = ProfileEdit.name(givenName: "Jane", familyName: "Appleseed")
        #expect(model.handle(.edited(edit)) == [], "the profile is not shown")
        _ = model.handle(.pressed(.profile))
        #expect(model.handle(.edited(edit)) == [.updateProfile(edit)])
        #expect(model.screen == .askingProfile)
    }

    @Test("A link from a mail signs in, or adds an address to the account of a person who is signed in")
    func mailLink() throws {
        let link = try Self.link()
        var model = JuiceModel.atLogin
        #expect(model.handle(.linkOpened(link)) == [.askAboutLink(link)])

        var signedIn = JuiceModel.atResult
        #expect(signedIn.handle(.linkOpened(link)) == [.changeWaysIn(.finishAddress(link), password: nil)])
    }

    @Test("A link that comes in the middle of something waits for the person")
    func mailLinkBetween() throws {
        var model = JuiceModel.atResult
        _ = model.handle(.pressed(.delete))
        #expect(model.handle(.linkOpened(try Self.link())) == [])
        #expect(model.screen == .confirmingDeletion)
        #expect(model.remark != nil)
    }

    @Test("A credential of the app's own controller is waited for on the login alone")
    func ownController() {
        var model = JuiceModel.atLogin
        #expect(model.handle(.credentialCame) == [])
        #expect(model.screen == .loggingIn)
        _ = model.handle(.signedIn(.johnny))
        #expect(model.handle(.credentialCame) == [])
        #expect(model.screen == .result(.johnny))
    }
}
