import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("A link of an address", .eachEngine)
struct EmailLinkingTests {
    /// Asks for a link of an address.
    /// - Returns: the secret in the mail that the address got; nil if it got no link.
    private func ask(
        _ session: StoredSession, _ system: PasswordSystem, email address: String = PasswordSystem.address,
        consent: String? = nil
    ) async throws -> LinkSecret? {
        system.clock.advance(by: .seconds(1))
        let before = try await system.mails(.linkAddress).count
        try await system.passwords.requestLink(
            in: session, email: address, password: PasswordSystem.password,
            consent: consent.map { ConsentGiven(textVersion: $0) }, from: PasswordSystem.caller)
        let mails = try await system.mails(.linkAddress)
        return mails.count > before ? mails.last?.secret : nil
    }

    private func finish(
        _ secret: LinkSecret, _ session: StoredSession, _ system: PasswordSystem
    ) async throws -> [LinkedIdentity] {
        try await system.passwords.finishLink(secret, in: session, from: PasswordSystem.caller)
    }

    @Test("The person signs in with Apple and with the password, and is told")
    func links() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let secret = try #require(try await ask(session, system))
        #expect(try await system.links.list(in: session.session).count == 1)
        #expect(try await system.mails(.linkAddress).map(\.recipient) == [PasswordSystem.address])
        let linked = try await finish(secret, session, system)
        #expect(linked.map(\.provider) == ["apple", "email"] && linked[1].hasPassword)
        #expect(linked[1].address == PasswordSystem.address)
        #expect(try await system.signIn().account.id == session.account.id)
        #expect(try await system.signInWithApple().account.id == session.account.id)
        #expect(try await system.accountCount() == 1)
        #expect(try await system.mails(.linked).map(\.recipient) == [session.account.email])
        #expect(try await system.events(of: session.account.id).contains(.linked))
        #expect(
            try await system.audit(of: session.account.id).isSuperset(of: [.identityLinked, .passwordSet]))
        await expectError(.linkUnknown) { _ = try await finish(secret, session, system) }
        #expect(try await system.count("email_links") == 0)
    }

    @Test("Another session can't use the link, and it signs nobody in")
    func bound() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let other = try await system.session(of: system.signInWithApple())
        let zoe = try await system.session(of: system.signInWithApple("zoe"))
        let secret = try #require(try await ask(session, system))
        for foreign in [other, zoe] {
            await expectError(.linkUnknown) { _ = try await finish(secret, foreign, system) }
        }
        await expectError(.linkUnknown) { try await system.finishSignIn(secret, email: PasswordSystem.address) }
        await expectError(.linkUnknown) {
            try await system.finishSignUp(secret, .repeated(PasswordSystem.password))
        }
        #expect(try await finish(secret, session, system).count == 2)
    }

    @Test("An address of another account gets a mail that says so, and the answer is the same")
    func taken() async throws {
        let system = try await PasswordSystem()
        let owner = try await system.makeAccount()
        let session = try await system.session(of: system.signInWithApple())
        #expect(try await ask(session, system) == nil)
        #expect(try await system.mails(.accountExists).map(\.recipient) == [PasswordSystem.address])
        #expect(try await system.signIn().account.id == owner.account.id)
        #expect(try await system.links.list(in: session.session).count == 1)
    }

    @Test("The mail to an address that signs in by links alone says so")
    func takenWithoutPassword() async throws {
        let system = try await PasswordSystem()
        let address = "links@example.com"
        #expect(try await system.finishSignIn(system.signInLink(address), email: address).isNewAccount)
        let session = try await system.session(of: system.signInWithApple())
        #expect(try await ask(session, system, email: address) == nil)
        #expect(try await system.mails(.accountExists).map { $0.values["way"] } == ["link"])
    }

    @Test("Many accounts together can't flood an address, and one account can't write to any number of addresses")
    func flood() async throws {
        let system = try await PasswordSystem()
        let owner = try await system.makeAccount()
        func stranger(_ number: Int) async throws -> StoredSession {
            let session = SignInRecord.NewSession.sample(at: system.now, expiresAt: system.now + .days(1))
            let person = SignInRecord.Person.sample(Subject("001999.stranger\(number)"))
            _ = try await system.store.signIn(.sample(at: system.now, person, session: session))
            return try #require(await system.store.session(session.id))
        }
        func request(_ session: StoredSession, _ address: String) async throws {
            try await system.passwords.requestLink(
                in: session, email: address, password: PasswordSystem.password, consent: nil, from: .unknown)
            await system.domain.finishing.idle()
        }
        for number in 1...7 {
            let session = try await stranger(number)
            for _ in 0..<6 { try await request(session, PasswordSystem.address) }
        }
        #expect(try await system.mails(.accountExists).count == 30)
        // The owner is not kept from a link that signs in.
        let link = try await system.signInLink()
        #expect(try await system.finishSignIn(link, email: PasswordSystem.address).account.id == owner.account.id)
        let session = try await stranger(8)
        for number in 1...31 { try await request(session, "person\(number)@example.com") }
        #expect(try await system.mails(.linkAddress).count == 30)
    }

    @Test("An address that somebody signs up with meanwhile is theirs")
    func takenMeanwhile() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let secret = try #require(try await ask(session, system))
        let owner = try await system.makeAccount()
        await expectError(.linkUnknown) { _ = try await finish(secret, session, system) }
        #expect(try await system.signIn().account.id == owner.account.id)
    }

    @Test("An account has one address, whatever was asked for")
    func once() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let first = try #require(try await ask(session, system))
        let second = try #require(try await ask(session, system, email: "other@example.com"))
        _ = try await finish(first, session, system)
        await expectError(.alreadyLinked) { _ = try await finish(second, session, system) }
        await expectError(.alreadyLinked) { _ = try await ask(session, system, email: "third@example.com") }
        #expect(try await system.links.list(in: session.session).count == 2)
    }

    @Test("A recent sign-in and a good password are needed before anything is written")
    func refused() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        await expectError(.passwordRefused) {
            try await system.passwords.requestLink(
                in: session, email: PasswordSystem.address, password: Password("short"), consent: nil, from: .unknown)
        }
        system.clock.advance(by: .seconds(301))
        await expectError(.requiresRecentLogin) { _ = try await ask(session, system) }
        #expect(try await system.count("email_links") == 0)
        #expect(try await system.mails().isEmpty)
    }

    @Test("An account that hides its address needs consent, which is recorded when the link is used")
    func consent() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        let error = await expectError(.consentRequired) { _ = try await ask(session, system) }
        #expect(error?.consent?.purposes == [.linkedIdentity])
        let secret = try #require(try await ask(session, system, consent: system.consentText))
        #expect(try await system.domain.consents.list(of: session.account.id).isEmpty)
        _ = try await finish(secret, session, system)
        #expect(try await system.domain.consents.list(of: session.account.id).map(\.purpose) == [.linkedIdentity])
    }

    @Test("A text that changes while the link waits: the link writes nothing, and a new one can be asked for")
    func newerText() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        let secret = try #require(try await ask(session, system, consent: system.consentText))
        let texts = try ConsentTexts([ConsentTexts.Text(version: "3", language: "en", text: "Newer.")])
        let newer = try await PasswordSystem(sharing: system, texts: texts)
        let error = await expectError(.consentRequired) { _ = try await finish(secret, session, newer) }
        #expect(error?.consent == Consent.Requirement(purposes: [.linkedIdentity], textVersion: "3"))
        #expect(try await newer.links.list(in: session.session).count == 1)
        #expect(try await newer.domain.consents.list(of: session.account.id).isEmpty)
        #expect(try await newer.count("email_links") == 1)
        await expectError(.consentRequired) { _ = try await ask(session, newer, consent: system.consentText) }
        let second = try #require(try await ask(session, newer, consent: "3"))
        #expect(try await finish(second, session, newer).count == 2)
        #expect(try await newer.domain.consents.list(of: session.account.id).map(\.textVersion) == ["3"])
    }
}
