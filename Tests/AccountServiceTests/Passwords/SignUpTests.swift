import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("A sign-up by e-mail address", .eachEngine)
struct SignUpTests {
    @Test("An account exists only after the link was used, and looking at the link writes nothing")
    func proof() async throws {
        let system = try await PasswordSystem()
        let secret = try await system.signUp(name: try .sample("Zoë", nil))
        #expect(try await system.accountCount() == 0)
        let mail = try #require(try await system.mails(.signUp).first)
        #expect(mail.recipient == PasswordSystem.address)
        #expect(mail.values == ["link": "http://localhost:4000/email-links/\(secret.rawValue)"])
        for _ in 0..<3 {
            let link = try await system.passwords.link(secret, browser: nil)
            #expect(link.purpose == .signUp && link.address == PasswordSystem.address)
            #expect(!link.isOfBrowser && link.expiresAt == system.now + .minutes(15))
        }
        await expectError(.wrongCredentials) { try await system.signIn() }
        #expect(try await system.accountCount() == 0)

        let done = try await system.finishSignUp(secret, .repeated(PasswordSystem.password))
        #expect(done.isNewAccount && done.account.email == PasswordSystem.address && done.account.emailVerified)
        #expect(done.account.name?.givenName == "Zoë" && !done.account.isPrivateEmail)
        #expect(done.account.appleAccess == AppleAccess() && done.account.appleToken == .none)
        let session = try await system.session(of: done)
        #expect(session.session.clientID == PasswordSystem.juice && session.session.hasRecentSignIn(at: system.now))
        #expect(session.account == done.account)
        #expect(try await system.events(of: done.account.id) == [.signedIn, .passwordSet])
        #expect(try await system.audit(of: done.account.id) == [.signedIn, .passwordSet])
        #expect(try await system.signIn().account.id == done.account.id)
        #expect(
            try await system.domain.waysIn(of: done.account.id)
                == WaysIn(apple: false, emailIdentity: PasswordSystem.address, hasPassword: true))
    }

    @Test("The link needs the sign-up's password again, and stays valid after a wrong one")
    func repeated() async throws {
        let system = try await PasswordSystem()
        let secret = try await system.signUp()
        await expectError(.wrongCredentials) {
            try await system.finishSignUp(secret, .repeated(PasswordSystem.otherPassword))
        }
        #expect(try await system.accountCount() == 0)
        try await system.finishSignUp(secret, .repeated(PasswordSystem.password))
        await expectError(.linkUnknown) { try await system.finishSignUp(secret, .repeated(PasswordSystem.password)) }
        await expectError(.linkUnknown) { _ = try await system.passwords.link(secret, browser: nil) }
        #expect(try await system.accountCount() == 1)
    }

    @Test("A new password replaces the sign-up's, whose name is dropped with it")
    func replaced() async throws {
        let system = try await PasswordSystem()
        let secret = try await system.signUp(name: try .sample("Mallory", nil))
        let error = await expectError(.passwordRefused) {
            try await system.finishSignUp(secret, .new(Password("too short")), email: PasswordSystem.address)
        }
        #expect(error?.refusal?.reason == .tooShort)
        let done = try await system.finishSignUp(
            secret, .new(PasswordSystem.otherPassword), email: "ZOE@example.com")
        #expect(done.account.name == nil)
        await expectError(.wrongCredentials) { try await system.signIn() }
        #expect(try await system.signIn(password: PasswordSystem.otherPassword).account.id == done.account.id)
    }

    /// Somebody signs up with an address of their own, and forwards the link.
    @Test("A new password needs the address, so that a forwarded link opens no other person's account")
    func forwarded() async throws {
        let system = try await PasswordSystem()
        let secret = try await system.signUp("mallory@example.com")
        for email in [nil, PasswordSystem.address] {
            await expectError(.emailNeeded) {
                try await system.finishSignUp(secret, .new(PasswordSystem.otherPassword), email: email)
            }
        }
        #expect(try await system.accountCount() == 0)
        try await system.finishSignUp(secret, .repeated(PasswordSystem.password))
    }

    @Test("Wrong passwords at the link of a sign-up count for the network only")
    func guesses() async throws {
        let system = try await PasswordSystem()
        let secret = try await system.signUp()
        for _ in 0..<6 {
            await expectError(.wrongCredentials) {
                try await system.finishSignUp(secret, .repeated(PasswordSystem.otherPassword))
            }
        }
        let before = system.passwords.hasher.computed
        let error = await expectError(.rateLimited) {
            try await system.finishSignUp(secret, .repeated(PasswordSystem.password))
        }
        #expect(error?.retryAfter == .seconds(1) && system.passwords.hasher.computed == before)
        _ = try await system.passwords.finishSignUp(
            secret, password: .repeated(PasswordSystem.password), client: nil, from: Caller(address: "192.0.2.2"))
        try await system.signIn(from: "192.0.2.2")
    }

    @Test("A link is valid for fifteen minutes")
    func expiry() async throws {
        let system = try await PasswordSystem()
        let secret = try await system.signUp()
        system.clock.advance(by: .minutes(15))
        await expectError(.linkUnknown) { _ = try await system.passwords.link(secret, browser: nil) }
        await expectError(.linkUnknown) { try await system.finishSignUp(secret, .repeated(PasswordSystem.password)) }
        #expect(try await system.accountCount() == 0)
        #expect(try await system.store.sweep(at: system.now, sessionsBefore: .start, limit: 100) == 1)
        #expect(try await system.count("email_links") == 0)
    }

    @Test("A password that the rules refuse gets the same answer for every address")
    func refused() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        for address in [PasswordSystem.address, "nobody@example.com"] {
            let error = await expectError(.passwordRefused) {
                try await system.passwords.signUp(
                    email: address, password: Password("short"), name: nil, browser: nil, returnPath: nil,
                    from: .unknown)
            }
            #expect(error?.refusal == PasswordRules.Refusal(.tooShort, minimumLength: 15))
        }
        let error = await expectError(.requestInvalid) {
            try await system.passwords.signUp(
                email: "no address", password: PasswordSystem.password, name: nil, browser: nil, returnPath: nil,
                from: .unknown)
        }
        #expect(error?.field == "email")
    }

    @Test("An address that has an account gets a mail that says so, and no link")
    func exists() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        try await system.passwords.signUp(
            email: "ZOE@Example.com", password: PasswordSystem.otherPassword, name: nil, browser: nil, returnPath: nil,
            from: .unknown)
        let mail = try #require(try await system.mails(.accountExists).first)
        #expect(mail.values == ["way": "password", "link": "http://localhost:4000/sign-in"])
        #expect(mail.recipient == PasswordSystem.address, "never to a spelling that somebody else typed")
        #expect(try await system.count("email_links") == 0)
    }

    @Test("An address of an account that signs in with Apple gets a mail that says so, whatever link was asked for")
    func existsWithApple() async throws {
        let system = try await PasswordSystem()
        let account = try await system.signInWithApple().account
        let address = try #require(account.email)
        try await system.passwords.signUp(
            email: address, password: PasswordSystem.password, name: nil, browser: nil, returnPath: nil, from: .unknown)
        try await system.passwords.requestSignInLink(email: address, browser: nil, returnPath: nil, from: .unknown)
        try await system.passwords.requestReset(email: address, browser: nil, from: .unknown)
        let mails = try await system.mails(to: address)
        #expect(mails.map(\.kind) == [.accountExists, .accountExists, .accountExists])
        #expect(mails.allSatisfy { $0.values["way"] == "apple" })
        #expect(try await system.count("email_links") == 0)
    }

    @Test("An address of an account without a password gets a mail that says so")
    func existsWithLink() async throws {
        let system = try await PasswordSystem()
        try await system.finishSignIn(system.signInLink(), email: PasswordSystem.address)
        try await system.passwords.signUp(
            email: PasswordSystem.address, password: PasswordSystem.password, name: nil, browser: nil, returnPath: nil,
            from: .unknown)
        #expect(try await system.mails(.accountExists).map { $0.values["way"] } == ["link"])
    }

    @Test("The contact address of an account that signs in with another address gets a mail that says so")
    func existsWithOther() async throws {
        let system = try await PasswordSystem()
        let contact = "contact@example.com"
        try await confirm(contact, in: system.makeAccount(), system)
        try await system.passwords.signUp(
            email: contact, password: PasswordSystem.password, name: nil, browser: nil, returnPath: nil, from: .unknown)
        try await system.passwords.requestSignInLink(email: contact, browser: nil, returnPath: nil, from: .unknown)
        try await system.passwords.requestReset(email: contact, browser: nil, from: .unknown)
        #expect(
            try await system.mails(.accountExists, to: contact).map { $0.values["way"] } == ["other", "other", "other"])
        #expect(try await system.count("email_links") == 0)
    }

    private func confirm(_ contact: String, in session: StoredSession, _ system: PasswordSystem) async throws {
        _ = try await system.domain.profiles.update(
            ProfileUpdate(contactEmail: .set(EmailAddress(contact))), in: session, from: .unknown)
        let link = try await system.mails(.verifyAddress).first?.values["link"]?.split(separator: "/").last
        let secret = try #require(link.flatMap { LinkSecret(rawValue: String($0)) })
        _ = try await system.domain.profiles.confirmContact(secret, in: session, from: .unknown)
    }

    @Test("A contact address and Apple's address are recognized in another spelling", arguments: [true, false])
    func existsInAnotherSpelling(isContact: Bool) async throws {
        let system = try await PasswordSystem()
        if isContact {
            try await confirm("Zoe@Example.com", in: system.session(of: system.signInWithApple()), system)
        } else {
            var person = SignInRecord.Person.sample(email: "Zoe@Example.com")
            person.emailVerified = true
            _ = try await system.store.signIn(.sample(at: system.now, person))
        }
        _ = try await system.mails()
        try await system.passwords.requestSignInLink(
            email: PasswordSystem.address, browser: nil, returnPath: nil, from: .unknown)
        #expect(try await system.mails(.accountExists).map { $0.values["way"] } == ["apple"])
        #expect(try await system.count("email_links") == 0)
    }

    @Test("If four calls finish one link at once, one account is made")
    func race() async throws {
        let system = try await PasswordSystem()
        let secret = try await system.signUp()
        let codes = try await atOnce(4) { _ in
            do {
                try await system.finishSignUp(secret, .repeated(PasswordSystem.password))
                return "done"
            } catch let error as AccountError {
                return error.code.description
            }
        }
        #expect(codes.sorted() == ["done", "link_unknown", "link_unknown", "link_unknown"])
        #expect(try await system.accountCount() == 1)
    }

    @Test("The first link of an address that makes its account invalidates its other links")
    func others() async throws {
        let system = try await PasswordSystem()
        let first = try await system.signUp()
        let second = try await system.signUp("Zoe@EXAMPLE.com", password: PasswordSystem.otherPassword)
        let third = try await system.signInLink()
        try await system.finishSignUp(second, .repeated(PasswordSystem.otherPassword))
        await expectError(.linkUnknown) { try await system.finishSignUp(first, .repeated(PasswordSystem.password)) }
        await expectError(.linkUnknown) { try await system.finishSignIn(third, email: PasswordSystem.address) }
        #expect(try await system.accountCount() == 1)
    }

    @Test("An address gets five of these mails in a day, and the response never tells")
    func limit() async throws {
        let system = try await PasswordSystem()
        for spelling in [PasswordSystem.address, "ZOE@example.com", "zoe@EXAMPLE.COM", "Zoe@example.com"] {
            try await system.passwords.requestSignInLink(
                email: spelling, browser: nil, returnPath: nil, from: .unknown)
        }
        for _ in 0..<3 {
            try await system.passwords.signUp(
                email: PasswordSystem.address, password: PasswordSystem.password, name: nil, browser: nil,
                returnPath: nil, from: .unknown)
        }
        #expect(try await system.mails().count == 5)
        #expect(try await system.count("email_links") == 5)
        system.clock.advance(by: .hours(25))
        _ = try await system.signUp()
    }

    @Test("A new password for an address without an account is answered by one mail a day")
    func noAccount() async throws {
        let system = try await PasswordSystem()
        for _ in 0..<3 {
            try await system.passwords.requestReset(email: PasswordSystem.address, browser: nil, from: .unknown)
        }
        let mails = try await system.mails()
        #expect(mails.map(\.kind) == [.noAccount] && mails[0].values == ["link": "http://localhost:4000/sign-up"])
    }

    @Test("A client that is not configured is refused, and the link stays good")
    func client() async throws {
        let system = try await PasswordSystem()
        let secret = try await system.signUp()
        let error = await expectError(.requestInvalid) {
            _ = try await system.passwords.finishSignUp(
                secret, password: .repeated(PasswordSystem.password), client: "com.other.app", from: .unknown)
        }
        #expect(error?.field == "clientID")
        try await system.finishSignUp(secret, .repeated(PasswordSystem.password))
    }
}
