import AccountEngines
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("A link in a mail that signs in", .eachEngine)
struct EmailLinkTests {
    private func finish(
        _ secret: LinkSecret, in browser: BrowserSecret, email: String? = nil, former: SessionID? = nil,
        _ system: PasswordSystem
    ) async throws -> WebSignIn {
        try await system.passwords.finishSignIn(
            secret, email: email, browser: browser, former: former, from: PasswordSystem.caller)
    }

    @Test("The browser that requested the link uses it once, without the address")
    func sameBrowser() async throws {
        let system = try await PasswordSystem()
        let browser = system.passwords.newBrowser()
        let account = try await system.makeAccount().account.id
        try await system.passwords.requestSignInLink(
            email: PasswordSystem.address, browser: browser, returnPath: ReturnPath(rawValue: "/authorizations"),
            from: .unknown)
        let secret = try #require(try await system.mails(.signInLink).first?.secret)
        #expect(try await system.passwords.link(secret, browser: browser).isOfBrowser)
        let done = try await finish(secret, in: browser, system)
        #expect(done.account.id == account && !done.isNewAccount && done.returnPath.rawValue == "/authorizations")
        let session = try await system.domain.sessions.authenticate(cookie: done.sessionCookie)
        #expect(session.session.kind == .browser && session.session.clientID == "com.example.juice.web")
        await expectError(.linkUnknown) { _ = try await finish(secret, in: browser, system) }
        try await system.signIn()
    }

    @Test("Another browser, or an app, needs the address, and without it the link stays valid")
    func otherBrowser() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        let secret = try await system.signInLink(browser: system.passwords.newBrowser())
        let other = system.passwords.newBrowser()
        #expect(try await !system.passwords.link(secret, browser: other).isOfBrowser)
        #expect(try await !system.passwords.link(secret, browser: nil).isOfBrowser)
        await expectError(.emailNeeded) { _ = try await finish(secret, in: other, system) }
        await expectError(.emailNeeded) { try await system.finishSignIn(secret, email: nil) }
        await expectError(.emailNeeded) { try await system.finishSignIn(secret, email: "other@example.com") }
        let done = try await finish(secret, in: other, email: "ZOE@example.COM", system)
        #expect(done.account.email == PasswordSystem.address, "the address stays as its person typed it first")
    }

    @Test("A link to an address without an account makes one, without a password and without a name")
    func newAccount() async throws {
        let system = try await PasswordSystem()
        let waiting = try await system.signUp(name: try .sample("Mallory", nil))
        let secret = try await system.signInLink()
        let done = try await system.finishSignIn(secret, email: PasswordSystem.address)
        #expect(done.isNewAccount && done.account.name == nil)
        #expect(
            try await system.domain.waysIn(of: done.account.id)
                == WaysIn(apple: false, emailIdentity: PasswordSystem.address))
        await expectError(.linkUnknown) { try await system.finishSignUp(waiting, .repeated(PasswordSystem.password)) }
        await expectError(.wrongCredentials) { try await system.signIn() }
    }

    @Test("A sign-in in a browser ends the session that the browser had")
    func replaces() async throws {
        let system = try await PasswordSystem()
        let browser = system.passwords.newBrowser()
        _ = try await system.makeAccount()
        let first = try await system.passwords.signIn(
            email: PasswordSystem.address, password: PasswordSystem.password, returnPath: .account, browser: browser,
            former: nil, from: .unknown)
        let former = try await system.domain.sessions.authenticate(cookie: first.sessionCookie)
        let secret = try await system.signInLink(browser: browser)
        _ = try await finish(secret, in: browser, former: former.session.id, system)
        #expect(try await system.end(of: former) == .replaced)
    }

    @Test("A link is valid for its own purpose only")
    func purposes() async throws {
        let system = try await PasswordSystem()
        let signUp = try await system.signUp()
        await expectError(.linkUnknown) { try await system.finishSignIn(signUp, email: PasswordSystem.address) }
        try await system.finishSignUp(signUp, .repeated(PasswordSystem.password))
        let reset = try await system.resetLink()
        await expectError(.linkUnknown) { try await system.finishSignUp(reset, .new(PasswordSystem.password)) }
        await expectError(.linkUnknown) { try await system.finishSignIn(reset, email: PasswordSystem.address) }
        try await system.passwords.finishReset(reset, newPassword: PasswordSystem.password, from: .unknown)
    }

    @Test("A disabled account takes no link and no password")
    func disabled() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let secret = try await system.signInLink()
        _ = try await system.domain.directory.disable(session.account.id)
        await expectError(.accountDisabled) { try await system.finishSignIn(secret, email: PasswordSystem.address) }
        await expectError(.accountDisabled) { try await system.signIn() }
    }
}
