import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

extension PasswordSystem {
    /// Withdraws the newest consent to a purpose.
    fileprivate func withdraw(
        _ purpose: Consent.Purpose = .linkedIdentity, in session: StoredSession
    ) async throws -> ConsentWithdrawal {
        let consents = try await domain.consents.list(of: session.account.id)
        let consent = try #require(consents.first { $0.purpose == purpose && $0.withdrawnAt == nil })
        return try await domain.consents.withdraw(consent.id, in: session, from: Self.caller)
    }

    /// Signs a person of the account in as if they had stopped using the app at Apple, and chosen otherwise about their
    /// address when they came back.
    fileprivate func comeBack(
        as identity: IdentityID, of account: AccountID, hidesEmail: Bool
    ) async throws {
        let found = try #require(try await store.identities(of: account).first { $0.id == identity })
        clock.advance(by: .seconds(1))
        var person = SignInRecord.Person.sample(found.subject, team: found.team, email: "back@example.com")
        person.isPrivateEmail = hidesEmail
        let session = SignInRecord.NewSession.sample(at: now, expiresAt: now + .days(1))
        _ = try await store.signIn(.sample(at: now, person, session: session))
        #expect(try await store.identities(of: account).first { $0.id == identity }?.hidesAddress == hidesEmail)
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
        let consent = try #require(try await system.domain.consents.list(of: session.account.id).first)
        let shown = try await system.domain.consents.parting(from: consent.id, in: session)
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

    @Test("A withdrawn consent to a contact address parts nothing")
    func contactAddress() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        _ = try await system.addAddress(to: session)
        _ = try await system.domain.profiles.update(
            ProfileUpdate(
                contactEmail: .set(EmailAddress("johnny@example.org")),
                consent: ConsentGiven(textVersion: system.consentText)), in: session, from: .unknown)
        let done = try await system.withdraw(.contactEmail, in: session)
        #expect(done.unlinked.isEmpty && done.kept.isEmpty && done.account.pendingContactEmail == nil)
        #expect(try await system.links.list(in: session.session).count == 2)
        #expect(
            try await system.domain.consents.list(of: session.account.id).filter { $0.withdrawnAt == nil }.map(
                \.purpose)
                == [.linkedIdentity])
    }

    @Test("Each consent parts the way in that joined by it, and no other")
    func each() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let johnny = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        let zoe = try await system.link(session, person: "zoe", hidesEmail: true, consent: system.consentText)[2]
        #expect(try await system.withdraw(in: session).unlinked.map(\.id) == [zoe.id])
        #expect(try await system.links.list(in: session.session).map(\.id) == [session.session.identityID, johnny.id])
        #expect(try await system.withdraw(in: session).unlinked.map(\.id) == [johnny.id])
    }

    @Test("A way in that joined by consent goes with it, also if it tells its address since")
    func toldSince() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        try await system.comeBack(as: apple.id, of: session.account.id, hidesEmail: false)
        #expect(try await system.withdraw(in: session).unlinked.map(\.id) == [apple.id])
    }

    @Test("A way in that joined without consent stays, also if it hides its address since")
    func hiddenSince() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session)[1]
        try await system.comeBack(as: apple.id, of: session.account.id, hidesEmail: true)
        let other = try await system.link(session, person: "zoe", consent: system.consentText)[2]
        #expect(try await system.withdraw(in: session).unlinked.map(\.id) == [other.id])
        #expect(try await system.links.list(in: session.session).map(\.id) == [session.session.identityID, apple.id])
    }

    @Test("An Apple Account that takes the place of an address by an upgrade goes with the consent to the address")
    func upgraded() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        _ = try await system.addAddress(to: session)
        let byAddress = try await system.session(of: system.signIn())
        let challenge = try system.domain.challenges.make(for: .upgrade, session: byAddress.session.id)
        _ = try await system.domain.upgrades.upgrade(
            byAddress, with: system.credential("zoe", nonce: challenge.nonce), consent: nil, endingOthers: false,
            from: .unknown)
        let done = try await system.withdraw(in: session)
        #expect(done.unlinked.map(\.provider) == ["apple"] && done.kept.isEmpty && !done.endsSession)
        #expect(try await system.links.list(in: session.session).map(\.id) == [session.session.identityID])
    }

    @Test("Without the way in that joined nobody could sign in: it stays, and the answer says so")
    func last() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        let consents = system.domain.consents
        let withoutPasswords = Consents(
            texts: consents.texts, store: system.store,
            ways: UsableWaysIn(takesPasswords: false, teams: consents.ways.teams), signal: consents.signal,
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
        for round in 0..<10 {
            let session = try await system.makeAccount("person\(round)@example.com")
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
            system.clock.advance(by: .seconds(2))
        }
    }
}
