import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

extension PasswordSystem {
    /// Withdraws every consent to addresses.
    fileprivate func withdraw(in session: StoredSession) async throws -> ConsentWithdrawal {
        let consents = try await domain.consents.list(of: session.account.id)
        let consent = try #require(consents.first { $0.purpose == .contactEmail && $0.withdrawnAt == nil })
        return try await domain.consents.withdraw(consent.id, in: session, from: Self.caller)
    }

    /// Adds an address and a password to an account that hides its address.
    fileprivate func addAddress(to session: StoredSession) async throws -> LinkedIdentity {
        clock.advance(by: .seconds(1))
        try await passwords.requestLink(
            in: session, email: Self.address, password: Self.password,
            consent: ConsentGiven(textVersion: consentText), from: Self.caller)
        let secret = try #require(try await mails(.linkAddress).last?.secret)
        return try #require(try await passwords.finishLink(secret, in: session, from: Self.caller).last)
    }
}

@Suite("A withdrawn consent to a link", .eachEngine)
struct ConsentPartingTests {
    @Test("A hidden Apple Account that joined an address is parted from it, and Apple is asked to revoke")
    func hiddenApple() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        let byApple = try await system.session(of: system.signInWithApple(hidesEmail: true))
        let shown = try await system.domain.consents.parting(in: session)
        #expect(shown.unlinked.map(\.id) == [apple.id] && shown.kept.isEmpty)
        let done = try await system.withdraw(in: session)
        #expect(done.unlinked.map(\.id) == [apple.id] && done.kept.isEmpty)
        #expect(!done.endsSession && !done.needsManualRemoval && done.account.id == session.account.id)
        #expect(try await system.links.list(in: session.session).map(\.provider) == ["email"])
        #expect(try await system.end(of: byApple) == .unlinked)
        #expect(try await system.end(of: session) == nil)
        #expect(try await system.count("apple_tokens") == 0)
        #expect(try await system.mails(.unlinked).map(\.recipient) == [PasswordSystem.address])
        #expect(try await Set(system.events(of: session.account.id)).isSuperset(of: [.consentWithdrawn, .unlinked]))
        #expect(try await system.audit(of: session.account.id).contains(.identityUnlinked))
        await expectError(.consentRequired) { try await system.link(session, hidesEmail: true) }
        #expect(try await system.signInWithApple(hidesEmail: true).isNewAccount)
    }

    @Test("An address that joined a hidden Apple Account goes with its password, and so does its session")
    func address() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        let added = try await system.addAddress(to: session)
        let byAddress = try await system.session(of: system.signIn())
        let done = try await system.withdraw(in: byAddress)
        #expect(done.unlinked.map(\.id) == [added.id] && done.endsSession)
        #expect(try await system.end(of: byAddress) == .unlinked)
        #expect(try await system.end(of: session) == nil)
        await expectError(.wrongCredentials) { try await system.signIn() }
        #expect(try await system.count("passwords") == 0)
        #expect(try await system.signInWithApple(hidesEmail: true).account.id == session.account.id)
    }

    @Test("The ways in of the first one's kind stay, and so does what needed no consent")
    func others() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        try await system.link(session)
        try await system.link(session, person: "zoe", hidesEmail: true, consent: system.consentText)
        let done = try await system.withdraw(in: session)
        #expect(done.unlinked.map(\.hidesAddress) == [true])
        let left = try await system.links.list(in: session.session)
        #expect(left.map(\.provider) == ["email", "apple"] && !left.contains(where: \.hidesAddress))
    }

    @Test("Without the way in that joined nobody could sign in: it stays, and the answer says so")
    func last() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        let consents = system.domain.consents
        let withoutPasswords = Consents(
            texts: consents.texts, store: system.store, takesPasswords: false, signal: consents.signal,
            bell: consents.bell, mail: consents.mail, environment: consents.environment)
        let consent = try #require(try await consents.list(of: session.account.id).first)
        let done = try await withoutPasswords.withdraw(consent.id, in: session, from: .unknown)
        #expect(done.unlinked.isEmpty && done.kept.map(\.id) == [apple.id] && !done.endsSession)
        #expect(try await system.signInWithApple(hidesEmail: true).account.id == session.account.id)
        #expect(try await consents.list(of: session.account.id).allSatisfy { $0.withdrawnAt != nil })
    }

    @Test("It needs a recent sign-in where a way in goes, and none elsewhere")
    func recentSignIn() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        system.clock.advance(by: .minutes(5))
        await expectError(.requiresRecentLogin) { _ = try await system.withdraw(in: session) }
        #expect(try await system.links.list(in: session.session).count == 2)
        #expect(try await system.domain.consents.list(of: session.account.id).allSatisfy { $0.withdrawnAt == nil })
        let fresh = try await system.session(of: system.signIn())
        _ = try await system.links.remove(apple.id, in: fresh, from: .unknown)
        let done = try await system.withdraw(in: session)
        #expect(done.unlinked.isEmpty && done.kept.isEmpty)
    }

    @Test("A withdrawal and a removal at once: the way in goes once")
    func race() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        let consent = try #require(try await system.domain.consents.list(of: session.account.id).first)
        let counts = try await atOnce(2) { index in
            do {
                if index == 0 {
                    return try await system.domain.consents.withdraw(consent.id, in: session, from: .unknown)
                        .unlinked.count
                }
                _ = try await system.links.remove(apple.id, in: session, from: .unknown)
                return 1
            } catch let error as AccountError where error.code == .identityUnknown {
                return 0
            }
        }
        #expect(counts.reduce(0, +) == 1, "\(counts)")
        #expect(try await system.events(of: session.account.id).filter { $0 == .unlinked }.count == 1)
        #expect(try await system.links.list(in: session.session).map(\.provider) == ["email"])
    }
}
