import AccountClient
import Testing

@testable import JuiceScreens
@testable import juice

struct PasswordScreenTests {
    private static let email = "johnny@example.com"
    private static let password = "correct horse battery staple"
    private static let secret = "0123456789abcdefghijkl_MNOPQR-STUVWXYZ012345"

    private var saved: SavedPassword { SavedPassword(email: Self.email, password: Self.password) }

    private var link: EmailLink {
        get throws { try #require(EmailLink(Self.secret)) }
    }

    /// After the person has pressed a command at the login and filled the form in.
    private func filled(_ command: Character, _ texts: String...) -> (model: JuiceModel, effects: [Effect]) {
        var model = JuiceModel.atLogin
        var effects = model.handle(.key(.character(command)))
        for text in texts {
            #expect(effects == [])
            effects = model.type(text)
        }
        return (model, effects)
    }

    @Test("The first screen has the sample's form and Apple's button, which Return presses")
    func form() {
        let model = JuiceModel.atLogin
        #expect(
            model.screen.buttons == [
                .logIn, .createAccount, .forgotPassword, .emailLink, .openLink, .signIn, .quit,
            ])
        #expect(model.focus == .signIn)
    }

    @Test("Email and password are typed one after the other, and log in")
    func logIn() {
        let (model, effects) = filled("l", Self.email, Self.password)
        #expect(effects == [.logIn(saved)])
        #expect(model.screen == .loggingIn)
    }

    @Test("Letters are text there, keys go between the fields, and Esc leaves")
    func typing() {
        var model = JuiceModel.atLogin
        for key in [Key.character("l"), .character("q"), .character("x"), .backspace] { _ = model.handle(.key(key)) }
        guard case .form(let form) = model.screen else { return #expect(Bool(false), "\(model.screen)") }
        #expect(form.field == .email && form[.email] == "q")
        for key in [Key.tab, .character("s"), .tab, .down] { #expect(model.handle(.key(key)) == []) }
        guard case .form(let next) = model.screen else { return #expect(Bool(false), "\(model.screen)") }
        #expect(next.field == .password && next[.password] == "s")
        for key in [Key.eraseLine, .backTab] { #expect(model.handle(.key(key)) == []) }
        guard case .form(let back) = model.screen else { return #expect(Bool(false), "\(model.screen)") }
        #expect(back.field == .email && back[.password] == "")
        #expect(model.handle(.key(.escape)) == [])
        #expect(model.screen == .login(nil))
    }

    @Test("An empty field sends nothing", arguments: [["", Self.password], [Self.email, ""]])
    func empty(texts: [String]) {
        var model = JuiceModel.atLogin
        _ = model.handle(.key(.character("l")))
        for text in texts { #expect(model.type(text) == []) }
        #expect(model.screen == .login(nil))
    }

    @Test("After a failure the address is still there, and the password is not")
    func again() {
        var (model, _) = filled("l", Self.email, Self.password)
        _ = model.handle(.signInEnded(.problem("The email address or the password is wrong.")))
        _ = model.handle(.key(.character("l")))
        guard case .form(let form) = model.screen else { return #expect(Bool(false), "\(model.screen)") }
        #expect(form[.email] == Self.email && form[.password] == "")
    }

    @Test("No password is in a description of the model, its screens and its effects")
    func secrecy() {
        let (model, effects) = filled("l", Self.email, Self.password)
        var typing = JuiceModel.atLogin
        _ = typing.handle(.key(.character("l")))
        _ = typing.type(Self.email)
        for character in Self.password { _ = typing.handle(.key(.character(character))) }
        var text = ""
        for value in [model, effects, typing, typing.screen] as [Any] { dump(value, to: &text) }
        #expect(!text.contains("horse"))
    }

    @Test("A password that this device doesn't keep is offered to be kept", arguments: [true, false])
    func saving(saves: Bool) {
        var (model, _) = filled("l", Self.email, Self.password)
        #expect(model.handle(.signedInByPassword(.byPassword, email: Self.email)) == [])
        #expect(model.screen == .offeringToSave(email: Self.email))
        #expect(model.handle(.key(.character(saves ? "y" : "n"))) == (saves ? [.savePassword] : []))
        // Juice asks for no state at Apple, because this person doesn't sign in with Apple.
        #expect(model.screen == .result(.byPassword))
    }

    @Test("At launch a saved password is offered: sign in with this account?")
    func existingAccount() {
        var model = JuiceModel(after: .launched, .passwordFound(email: Self.email))
        #expect(model.screen == .offeringSaved(email: Self.email))
        #expect(model.handle(.key(.character("y"))) == [.logInWithSavedPassword])
        #expect(model.handle(.signedIn(.byPassword)) == [])
        #expect(model.screen == .result(.byPassword))
    }

    @Test("N and Esc decline the saved password, and show the form", arguments: [Key.character("n"), .escape])
    func otherWay(key: Key) {
        var model = JuiceModel(after: .launched, .passwordFound(email: Self.email))
        #expect(model.handle(.key(key)) == [])
        #expect(model.screen == .login(nil))
    }

    @Test("An account, a new password and a link are asked for by the address")
    func mails() {
        #expect(filled("n", Self.email, Self.password).effects == [.createAccount(saved)])
        #expect(filled("f", Self.email).effects == [.resetPassword(email: Self.email)])
        var (model, effects) = filled("e", Self.email)
        #expect(effects == [.requestLink(email: Self.email)])
        effects = model.handle(.signInEnded(.mailSent))
        #expect(effects == [] && model.screen == .login(.mailSent))
    }

    @Test("A link is asked about before it is used")
    func opens() throws {
        let link = try link
        #expect(filled("m", Self.secret).effects == [.askAboutLink(link)])
        #expect(filled("m", "https://localhost:4000/email-links/\(Self.secret)").effects == [.askAboutLink(link)])
        guard case .login(let notice?) = filled("m", "nonsense").model.screen else {
            return #expect(Bool(false), "it is taken for a link")
        }
        #expect(notice.kind == .problem)
    }

    @Test("A link of a sign-up wants the password again, or another when it is left empty")
    func completesSignUp() throws {
        let link = try link
        var (model, _) = filled("m", Self.secret)
        _ = model.handle(.linkTold(link, .signUp))
        var other = model
        #expect(model.type(Self.password) == [.finishSignUp(link, TypedText(Self.password), email: nil)])
        #expect(other.type("") == [])
        #expect(other.type(Self.email) == [])
        #expect(other.type("another one") == [.finishSignUp(link, TypedText("another one"), email: Self.email)])
    }

    @Test("A link of a sign-in wants the address, and a link of a reset the new password")
    func finishes() throws {
        let link = try link
        var (model, _) = filled("m", Self.secret)
        var reset = model
        _ = model.handle(.linkTold(link, .signIn))
        #expect(model.type(Self.email) == [.finishSignIn(link, email: Self.email)])
        _ = reset.handle(.linkTold(link, .reset))
        #expect(reset.type(Self.password) == [.finishReset(link, TypedText(Self.password))])
        #expect(reset.handle(.signInEnded(.passwordSet)) == [])
        #expect(reset.screen == .login(.passwordSet))
    }

    @Test("The password is changed on the profile, with the present one")
    func changes() {
        var model = JuiceModel(after: .launched, .accountFound(.byPassword), .key(.character("p")))
        #expect(model.screen.buttons.contains(.changePassword))
        _ = model.handle(.key(.character("w")))
        #expect(model.type("old") == [])
        #expect(model.type("new") == [.changePassword(from: TypedText("old"), to: TypedText("new"))])
        #expect(model.handle(.passwordChanged) == [])
        #expect(model.screen == .profile(.byPassword))
        #expect(model.remark == "Your password is changed.")
    }

    @Test("A deletion asks for the password when the account service wants it")
    func deletion() {
        var model = JuiceModel(after: .launched, .accountFound(.byPassword), .key(.character("d")))
        #expect(model.handle(.key(.character("y"))) == [.deleteAccount(password: nil)])
        #expect(model.handle(.passwordNeeded) == [])
        #expect(model.type(Self.password) == [.deleteAccount(password: TypedText(Self.password))])
        _ = model.handle(.accountDeleted(.deletedWithoutApple))
        #expect(model.screen == .login(.deletedWithoutApple))
    }

    @Test("A person who signs in by links is not asked for a password that they don't have")
    func deletionByLink() {
        var profile = Profile.byPassword
        profile.hasPassword = false
        var model = JuiceModel(after: .launched, .accountFound(profile), .key(.character("d")), .key(.character("y")))
        #expect(model.handle(.passwordNeeded) == [])
        #expect(model.screen == .result(profile))
        #expect(model.remark == LoginNotice.linkNeeded.text)
    }

    @Test("A script logs in, and is not asked what it can't answer")
    func script() {
        var model = JuiceModel(after: .launched)
        for line in ["l", Self.email, Self.password] { _ = model.handle(.line(line)) }
        #expect(model.handle(.inputEnded) == [])
        #expect(model.handle(.accountFound(nil)) == [.logIn(saved)])
        #expect(model.handle(.signedInByPassword(.byPassword, email: Self.email)) == [.exit(status: 0)])
        #expect(model.screen == .result(.byPassword))
    }

    @Test("A script with more lines answers the question, and goes on")
    func longerScript() {
        var model = JuiceModel(after: .launched)
        for line in ["l", Self.email, Self.password, "y", "o"] { _ = model.handle(.line(line)) }
        #expect(model.handle(.accountFound(nil)) == [.logIn(saved)])
        #expect(model.handle(.signedInByPassword(.byPassword, email: Self.email)) == [.savePassword, .signOut])
    }
}
