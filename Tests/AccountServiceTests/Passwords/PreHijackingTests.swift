import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

/// The five classes of attacks in “Pre-hijacked accounts” by Avinash Sudhodanan and Andrew Paverd (USENIX Security 2022):
/// somebody prepares an account for another person's address before that person signs up.
@Suite("Pre-hijacking", .eachEngine)
struct PreHijackingTests {
    private let mallorys = Password("mallory knows this one 1")

    @Test("Classic-federated merge: an Apple sign-in and an e-mail address never share an account, in either order")
    func merge() async throws {
        let system = try await PasswordSystem()
        let address = try #require(try await system.signInWithApple().account.email)
        let apple = try await system.signInWithApple().account.id
        // Mallory gets no link that makes an account for the address, and no way in to Apple's.
        try await system.passwords.signUp(
            email: address, password: mallorys, name: nil, browser: nil, returnPath: nil, from: .unknown)
        #expect(try await system.mails().map(\.kind) == [.accountExists])
        await expectError(.wrongCredentials) { try await system.signIn(address, password: mallorys) }

        // The other way round, the address has an account before its owner signs in with Apple.
        let other = try await PasswordSystem()
        let byEmail = try await other.makeAccount(address).account.id
        let byApple = try await other.signInWithApple().account
        #expect(byApple.id != byEmail && byApple.email == address)
        #expect(try await other.accountCount() == 2)
        #expect(
            try await other.domain.waysIn(of: byEmail)
                == WaysIn(apple: false, emailIdentity: address, hasPassword: true))
        #expect(try await other.domain.waysIn(of: byApple.id) == WaysIn(apple: true))
        #expect(try await system.accountCount() == 1)
        #expect(try await system.signInWithApple().account.id == apple)
    }

    @Test("Unexpired session identifier: nobody has a session before the address is proven, and a reset ends them all")
    func session() async throws {
        let system = try await PasswordSystem()
        let secret = try await system.signUp(password: mallorys)
        #expect(try await system.count("sessions") == 0)
        // The owner of the address opens the link of Mallory's sign-up: the only session is theirs.
        let done = try await system.finishSignUp(
            secret, .new(PasswordSystem.password), email: PasswordSystem.address)
        #expect(try await system.count("sessions") == 1)
        await expectError(.wrongCredentials) { try await system.signIn(password: mallorys) }

        let stolen = try await system.session(of: system.signIn())
        try await system.passwords.finishReset(
            system.resetLink(), newPassword: PasswordSystem.otherPassword, from: .unknown)
        #expect(try await system.end(of: stolen) == .passwordReset)
        #expect(try await system.store.sessions(of: done.account.id, liveAt: system.now, before: nil, limit: 9).isEmpty)
    }

    @Test("Trojan identifier: a sign-up leaves no other way in than the address's, and an upgrade leaves Apple's alone")
    func trojan() async throws {
        let system = try await PasswordSystem()
        let secret = try await system.signUp(password: mallorys, name: try .sample("Mallory", nil))
        let done = try await system.finishSignUp(
            secret, .new(PasswordSystem.password), email: PasswordSystem.address)
        let identities = try await system.store.identities(of: done.account.id)
        #expect(identities.map(\.provider) == [.email] && identities.map(\.email) == [PasswordSystem.address])
        #expect(done.account.name == nil && done.account.contactEmail == nil && done.account.phone == nil)

        let session = try await system.session(of: done)
        let challenge = try system.domain.challenges.make(for: .upgrade, session: session.session.id)
        _ = try await system.domain.upgrades.upgrade(
            session, with: system.credential(nonce: challenge.nonce), consent: nil, endingOthers: true, from: .unknown)
        #expect(try await system.store.identities(of: done.account.id).map(\.provider) == [.apple])
    }

    @Test("Trojan identifier: an import puts no identity of another service beside an address that it has not verified")
    func trojanByImport() async throws {
        let system = try await PasswordSystem()
        let importer = PersonImport(
            store: system.store, keyRing: try KeyRing(parsing: KeyRingTests.one),
            environment: system.clock.appleIDEnvironment)
        func take(_ person: ImportedPerson) async throws -> ImportOutcome {
            try #require(try await importer.write(importer.prepare([person])).first)
        }
        // At the other service Mallory has typed the address of the victim, and signs in with Apple, too.
        let both = try ImportTests.person("1", apple: "mallory", email: PasswordSystem.address, isVerified: false)
        #expect(try await take(both).lacksAddress)
        let mallory = try #require(try await system.store.accounts(after: nil, limit: 9).first)
        #expect(try await system.store.identities(of: mallory.id).map(\.provider) == [.apple])
        let victim = try await system.makeAccount()
        #expect(victim.account.id != mallory.id)
        #expect(try await take(both).kind == .here)

        // Mallory links Apple only after an import of the address alone, which the victim has proven here since.
        let address = "two@example.com"
        #expect(try await take(ImportTests.person("2", email: address, isVerified: false)).kind == .new)
        try await system.passwords.finishReset(
            system.resetLink(address), newPassword: PasswordSystem.password, from: PasswordSystem.caller)
        let second = try await system.signIn(address).account.id
        let later = try ImportTests.person("2", apple: "mallory too", email: address, isVerified: false)
        #expect(try await take(later).kind == .leftOut(.changed))
        #expect(try await take(ImportTests.person("2", email: address, isVerified: false)).kind == .here)
        #expect(try await system.store.identities(of: second).map(\.provider) == [.email])
    }

    @Test("Unexpired email change: a change that was begun before a reset can't be finished after it")
    func emailChange() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        // Mallory has the session for a while and asks for their own contact address.
        _ = try await system.domain.profiles.update(
            ProfileUpdate(contactEmail: .set(EmailAddress("mallory@example.net"))), in: session, from: .unknown)
        let link = try #require(
            try await system.mails(.verifyAddress).first?.values["link"]?.split(separator: "/").last)
        let secret = try #require(LinkSecret(rawValue: String(link)))
        try await system.passwords.finishReset(
            system.resetLink(), newPassword: PasswordSystem.otherPassword, from: .unknown)
        let own = try await system.session(of: system.signIn(password: PasswordSystem.otherPassword))
        #expect(own.account.pendingContactEmail == nil)
        await expectError(.linkUnknown) {
            _ = try await system.domain.profiles.confirmContact(secret, in: own, from: .unknown)
        }
        #expect(try await system.mails(.verifyAddress).isEmpty)
    }

    @Test("Unexpired email change: a change finished before a reset stays until the owner's link takes it back")
    func finishedEmailChange() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        _ = try await system.domain.profiles.update(
            ProfileUpdate(contactEmail: .set(EmailAddress("mallory@example.net"))), in: session, from: .unknown)
        func secret(_ kind: Mail.Kind, to address: String) async throws -> LinkSecret {
            let link = try await system.mails(kind, to: address).first?.values["link"]?.split(separator: "/").last
            return try #require(link.flatMap { LinkSecret(rawValue: String($0)) })
        }
        _ = try await system.domain.profiles.confirmContact(
            secret(.verifyAddress, to: "mallory@example.net"), in: session, from: .unknown)
        try await system.passwords.finishReset(
            system.resetLink(), newPassword: PasswordSystem.otherPassword, from: .unknown)
        #expect(try await system.store.account(session.account.id)?.contactEmail == "mallory@example.net")
        // The address that signs in was told, with a link.
        _ = try await system.domain.profiles.takeBack(
            secret(.addressChanged, to: PasswordSystem.address), from: .unknown)
        #expect(try await system.store.account(session.account.id)?.contactEmail == nil)
    }

    @Test("Non-verifying identity provider: this service verifies an address itself, whatever a provider says")
    func nonVerifying() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        // A provider that says an address which it hasn't verified gets an account of its own, and no mail of the address.
        var person = SignInRecord.Person.sample(email: PasswordSystem.address)
        for isVerified in [false, true] {
            person.emailVerified = isVerified
            let outcome = try await system.store.signIn(.sample(at: system.now, person))
            #expect(outcome.account.id != session.account.id)
        }
        // An unverified address of Apple's stands in nobody's way.
        let other = try await PasswordSystem()
        person.emailVerified = false
        _ = try await other.store.signIn(.sample(at: other.now, person))
        _ = try await other.makeAccount()
        #expect(try await other.accountCount() == 2)
    }
}
