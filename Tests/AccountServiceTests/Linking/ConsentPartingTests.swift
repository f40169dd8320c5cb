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

    /// Puts an Apple Account in the place of a session's address.
    fileprivate func upgrade(
        _ session: StoredSession, person: String = "zoe", hidesEmail: Bool = false, consent: String? = nil
    ) async throws {
        clock.advance(by: .seconds(1))
        let challenge = try domain.challenges.make(for: .upgrade, session: session.session.id)
        _ = try await domain.upgrades.upgrade(
            session, with: credential(person, nonce: challenge.nonce, hidesEmail: hidesEmail),
            consent: consent.map { ConsentGiven(textVersion: $0) }, endingOthers: false, from: .unknown)
    }

    /// Asks for a contact address, with consent.
    fileprivate func askForContactAddress(in session: StoredSession) async throws {
        _ = try await domain.profiles.update(
            ProfileUpdate(
                contactEmail: .set(EmailAddress("johnny@example.org")),
                consent: ConsentGiven(textVersion: consentText)), in: session, from: .unknown)
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
    @Test("A hidden Apple Account that joined an address is removed, and Apple is asked to revoke")
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

    @Test("An address that joined a hidden Apple Account is removed with its password and its session")
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

    @Test("Ways in of the first one's kind, and those that needed no consent, stay")
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

    @Test("A withdrawn consent to a contact address removes no way in")
    func contactAddress() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        _ = try await system.addAddress(to: session)
        try await system.askForContactAddress(in: session)
        let done = try await system.withdraw(.contactEmail, in: session)
        #expect(done.unlinked.isEmpty && done.kept.isEmpty && done.account.pendingContactEmail == nil)
        #expect(try await system.links.list(in: session.session).count == 2)
        #expect(
            try await system.domain.consents.list(of: session.account.id).filter { $0.withdrawnAt == nil }.map(
                \.purpose)
                == [.linkedIdentity])
    }

    @Test("Each consent removes the way in that joined by it, and no other")
    func each() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let johnny = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        let zoe = try await system.link(session, person: "zoe", hidesEmail: true, consent: system.consentText)[2]
        #expect(try await system.withdraw(in: session).unlinked.map(\.id) == [zoe.id])
        #expect(try await system.links.list(in: session.session).map(\.id) == [session.session.identityID, johnny.id])
        #expect(try await system.withdraw(in: session).unlinked.map(\.id) == [johnny.id])
    }

    @Test("A way in that joined by consent is removed even if it has shown its address since")
    func toldSince() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        try await system.comeBack(as: apple.id, of: session.account.id, hidesEmail: false)
        #expect(try await system.withdraw(in: session).unlinked.map(\.id) == [apple.id])
    }

    @Test("A way in that joined without consent stays even if it has hidden its address since")
    func hiddenSince() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session)[1]
        try await system.comeBack(as: apple.id, of: session.account.id, hidesEmail: true)
        let other = try await system.link(session, person: "zoe", consent: system.consentText)[2]
        #expect(try await system.withdraw(in: session).unlinked.map(\.id) == [other.id])
        #expect(try await system.links.list(in: session.session).map(\.id) == [session.session.identityID, apple.id])
    }

    @Test("An Apple Account that replaced an address by an upgrade is removed with the consent to the address")
    func upgraded() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        _ = try await system.addAddress(to: session)
        let byAddress = try await system.session(of: system.signIn())
        try await system.upgrade(byAddress, consent: system.consentText)
        let done = try await system.withdraw(in: session)
        #expect(done.unlinked.map(\.provider) == ["apple"] && done.kept.isEmpty && !done.endsSession)
        #expect(try await system.links.list(in: session.session).map(\.id) == [session.session.identityID])
    }

    @Test("An upgrade beside a hidden Apple Account that joined by consent needs consent to the contact address only")
    func upgradedBesideHidden() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        let error = await expectError(.consentRequired) { try await system.upgrade(session) }
        #expect(error?.consent?.purposes == [.contactEmail], "the address stays as the contact address")
        try await system.upgrade(session, consent: system.consentText)
        let byApple = try await system.session(of: system.signInWithApple("zoe"))
        #expect(try await system.withdraw(in: byApple).unlinked.map(\.id) == [apple.id])
    }

    @Test("An upgrade to a hidden Apple Account beside an open one needs consent, whose withdrawal removes one again")
    func upgradedToHidden() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session)[1]
        let error = await expectError(.consentRequired) { try await system.upgrade(session, hidesEmail: true) }
        #expect(error?.consent?.purposes == [.linkedIdentity, .contactEmail])
        try await system.upgrade(session, hidesEmail: true, consent: system.consentText)
        let given = try await system.domain.consents.list(of: session.account.id)
        #expect(Set(given.map(\.purpose)) == [.linkedIdentity, .contactEmail] && given.count == 2)
        let done = try await system.withdraw(in: session)
        #expect(done.unlinked.map(\.hidesAddress) == [true] && done.endsSession)
        #expect(try await system.links.list(in: session.session).map(\.id) == [apple.id])
    }

    @Test("An upgrade that needs its own consent withdraws the one by which the address had joined")
    func upgradedAgain() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        let johnny = session.session.identityID
        _ = try await system.addAddress(to: session)
        try await system.comeBack(as: johnny, of: session.account.id, hidesEmail: false)
        let byAddress = try await system.session(of: system.signIn())
        try await system.upgrade(byAddress, hidesEmail: true, consent: system.consentText)
        let consents = try await system.domain.consents.list(of: session.account.id)
        let toLinks = consents.filter { $0.purpose == .linkedIdentity }
        #expect(toLinks.map { $0.withdrawnAt != nil } == [false, true])
        let fresh = try await system.session(of: system.signInWithApple("zoe", hidesEmail: true))
        #expect(try await system.withdraw(in: fresh).unlinked.map(\.hidesAddress) == [true])
        #expect(try await system.links.list(in: session.session).map(\.id) == [johnny])
    }

    @Test("A way in that joined by consent in an older version is removed with the consent to the contact address")
    func olderProgram() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        try await system.askForContactAddress(in: session)
        let moment = system.now
        _ = try await system.store.write { connection in
            try connection.execute(
                "UPDATE identities SET joined_by_consent = ?1, link_consent_id = NULL WHERE id = ?2",
                [.flag(true), .id(apple.id)])
            try connection.execute("DELETE FROM consents WHERE purpose = 'linked_identity'")
            for mend in SQLMigration.formerLinkConsents.repairs {
                try connection.execute(mend, [.int64(moment.microseconds)])
            }
        }
        let consent = try #require(try await system.domain.consents.list(of: session.account.id).first)
        let shown = try await system.domain.consents.parting(from: consent.id, in: session)
        #expect(consent.purpose == .contactEmail && shown.unlinked.map(\.id) == [apple.id])
        let done = try await system.withdraw(.contactEmail, in: session)
        #expect(done.unlinked.map(\.id) == [apple.id] && done.account.pendingContactEmail == nil)
        #expect(try await system.links.list(in: session.session).map(\.provider) == ["email"])
    }

    @Test("Two Apple Accounts that a transfer joins are removed with the consent by which the former one joined")
    func joinedByTransfer() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let account = session.account.id
        let joined = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        let move = try await system.awaitedMove(of: joined.id, of: account, number: 0)
        let (there, moment) = (IdentityID(rawValue: "idn_there"), system.now)
        _ = try await system.store.write { connection in
            try connection.execute(
                """
                INSERT INTO identities (id, account_id, provider, team, subject, email_verified, is_private_email,
                    created_at, last_sign_in_at)
                VALUES (?1, ?2, 'apple', ?3, ?4, ?5, ?5, ?6, ?6)
                """,
                [
                    .id(there), .id(account), .text(move.there.team), .text(move.there.subject), .flag(false),
                    .time(moment),
                ])
        }
        #expect(try await system.move(move, of: account, at: moment))
        #expect(try await system.links.list(in: session.session).map(\.id) == [session.session.identityID, there])
        #expect(try await system.withdraw(in: session).unlinked.map(\.id) == [there])
        #expect(try await system.links.list(in: session.session).map(\.provider) == ["email"])
    }

    @Test("The only usable way in stays, and the answer says so")
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

    @Test("A withdrawal needs a recent sign-in only if it removes a way in, and a removal withdraws the consent")
    func recentSignIn() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        try await system.askForContactAddress(in: session)
        system.clock.advance(by: .minutes(5))
        await expectError(.requiresRecentLogin) { _ = try await system.withdraw(in: session) }
        #expect(try await system.links.list(in: session.session).count == 2)
        #expect(try await system.domain.consents.list(of: session.account.id).allSatisfy { $0.withdrawnAt == nil })
        let fresh = try await system.session(of: system.signIn())
        _ = try await system.links.remove(apple.id, in: fresh, from: .unknown)
        let given = try await system.domain.consents.list(of: session.account.id).filter { $0.withdrawnAt == nil }
        #expect(given.map(\.purpose) == [.contactEmail])
        let done = try await system.withdraw(.contactEmail, in: session)
        #expect(done.unlinked.isEmpty && done.kept.isEmpty)
    }

    @Test("A withdrawal during a transfer to another team revokes for the person's current team and subject")
    func transfer() async throws {
        let system = try await PasswordSystem()
        for round in 0..<20 {
            let session = try await system.makeAccount("person\(round)@example.com")
            let apple = try #require(
                try await system.link(session, hidesEmail: true, consent: system.consentText).last)
            let consent = try #require(try await system.domain.consents.list(of: session.account.id).first)
            let move = try await system.awaitedMove(of: apple.id, of: session.account.id, number: round)
            let at = system.now
            let moves = try await atOnce(2) { index -> Bool in
                guard index == 0 else {
                    _ = try await system.domain.consents.withdraw(consent.id, in: session, from: .unknown)
                    return false
                }
                return try await system.move(move, of: session.account.id, at: at)
            }
            #expect(
                try await system.revokedPeople(of: apple.id) == [moves.contains(true) ? move.new : move.former])
            system.clock.advance(by: .seconds(2))
        }
    }

    @Test("A withdrawal and a removal at once remove the way in once")
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
                } catch let error as AccountError
                    where error.code == .identityUnknown || error.code == .consentUnknown
                {
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
