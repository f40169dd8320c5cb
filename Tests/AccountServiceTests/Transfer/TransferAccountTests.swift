import AccountDatabase
import AccountEngines
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

extension PasswordSystem {
    fileprivate static let target = TransferTarget(team: "CIDERTEAM2", subject: "000999.moved.0001")

    /// Keeps an answer of Apple's about an identity of an account.
    /// - Returns: the transfer, and why the person can't be moved.
    @discardableResult
    fileprivate func export(
        _ identity: IdentityID, of account: AccountID, _ transferSubject: Subject? = "000999.transfer.0001"
    ) async throws -> (id: TransferID, failure: TransferFailure?) {
        let found = try #require(try await store.identities(of: account).first { $0.id == identity })
        let id = TransferID(at: now, randomness: clock.appleIDEnvironment.randomBytes(10))
        let answer = transferSubject.map(ExportedPerson.Answer.transferSubject) ?? .failure(.appleRefused)
        let person = PersonToExport(identity: identity, account: account, subject: found.subject)
        let failure = try await store.keep(
            ExportedPerson(person: person, id: id, answer: answer), from: found.team, to: Self.target.team, at: now)
        return (id, failure)
    }

    fileprivate func move(_ id: TransferID, to target: TransferTarget = target) async throws -> TransferMove {
        try await store.move(
            id, to: target, at: now, by: .operator,
            identityID: IdentityID(at: now, randomness: clock.appleIDEnvironment.randomBytes(10)))
    }

    /// Gives an account another identity of Apple's.
    fileprivate func addIdentity(
        _ team: TeamID, _ subject: Subject, to account: AccountID
    ) async throws -> IdentityID {
        let id = IdentityID(at: now, randomness: clock.appleIDEnvironment.randomBytes(10))
        let moment = now
        try await store.write { connection in
            _ = try connection.execute(
                """
                INSERT INTO identities (id, account_id, provider, team, subject, email_verified, is_private_email,
                    created_at, last_sign_in_at)
                VALUES (?1, ?2, 'apple', ?3, ?4, ?5, ?5, ?6, ?6)
                """,
                [.id(id), .id(account), .text(team), .text(subject), .flag(false), .time(moment)])
        }
        return id
    }

    /// Takes a notification about the person under the new subject.
    fileprivate func notify(_ change: AppleNotification.Change) async throws {
        clock.advance(by: .seconds(2))
        let receipt = try await store.applyNotification(
            AppleNotification(
                id: "\(change)", type: EventType("test"), change: change, team: Self.target.team, audience: Self.juice,
                subject: Self.target.subject, happenedAt: now, receivedAt: now))
        #expect(receipt.outcome == .unknownSubject)
    }

    fileprivate func revokedPeople() async throws -> [TokenHash] {
        try await store.read { connection in
            try connection.query("SELECT person_hash FROM outbox WHERE kind = 'revocation'", []) { try $0.hash() }
        }
    }
}

@Suite("The account of a person who is moved to another team", .eachEngine)
struct TransferAccountTests {
    @Test("It keeps its password, its consents and its other Apple Account")
    func waysIn() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let account = session.account.id
        let apple = try await system.link(session)[1]
        try await system.link(session, person: "zoe", hidesEmail: true, consent: system.consentText)
        let consents = try await system.domain.consents.list(of: account)
        let before = try await system.links.list(in: session.session)
        let (id, failure) = try await system.export(apple.id, of: account)
        #expect(failure == nil)
        let moved = try await system.move(id)
        #expect(moved == .moved(account))
        #expect(try await system.links.list(in: session.session).map(\.id) == before.map(\.id))
        #expect(try await system.domain.consents.list(of: account) == consents)
        #expect(try await system.end(of: session) == nil)
        #expect(try await system.signIn().account.id == account)
        #expect(try await system.signInWithApple("zoe", hidesEmail: true).account.id == account)
        let teams = try await system.store.identities(of: account).filter { $0.provider == .apple }.map(\.team)
        #expect(Set(teams).count == 2 && teams.contains(PasswordSystem.target.team))
        let again = try await system.move(id)
        #expect(again == .movedBefore)
    }

    @Test("It keeps its identity at another provider, which is not moved")
    func otherProvider() async throws {
        let system = try await PasswordSystem.withProviders()
        let session = try await system.session(of: system.signInWithProvider())
        let account = session.account.id
        let apple = try #require(try await system.link(session).last)
        let moved = try await system.move(system.export(apple.id, of: account).id)
        #expect(moved == .moved(account))
        #expect(try await system.end(of: session) == nil)
        #expect(try await system.signInWithProvider().account.id == account)
        let identities = try await system.store.identities(of: account)
        #expect(identities.map(\.provider.rawValue).sorted() == ["apple", "example"])
        let provider = try #require(identities.first { $0.provider != .apple })
        #expect(provider.team.rawValue == system.providers[0].issuer && provider.subject == "person-1")
    }

    @Test("A removed identity beside it stays as it is")
    func removed() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let removed = try await system.link(session)[1]
        _ = try await system.links.remove(removed.id, in: session, from: .unknown)
        system.clock.advance(by: .seconds(2))
        let apple = try await system.link(session)[1]
        let moved = try await system.move(system.export(apple.id, of: session.account.id).id)
        #expect(moved == .moved(session.account.id))
        #expect(try await system.links.list(in: session.session).map(\.id).contains(apple.id))
        #expect(try await !system.links.list(in: session.session).map(\.id).contains(removed.id))
    }

    @Test("Two identities of one person become one, also if both were moved before")
    func joined() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let account = session.account.id
        let first = session.session.identityID
        let firstMove = try await system.move(system.export(first, of: account).id)
        #expect(firstMove == .moved(account))
        let second = try await system.addIdentity("JUICETEAM1", "000111.second.0001", to: account)
        let transfer = try await system.export(second, of: account, "000999.transfer.0002")
        #expect(transfer.failure == nil)
        let joined = try await system.move(transfer.id)
        #expect(joined == .moved(account))
        let left = try await system.store.identities(of: account).filter { $0.team == PasswordSystem.target.team }
        #expect(left.map(\.id) == [first])
        let count = try await system.count("transfers")
        #expect(count == 1)
    }

    @Test("An answer about a person who was moved under another identity fails for that one only")
    func twice() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let account = session.account.id
        _ = try await system.move(system.export(session.session.identityID, of: account).id)
        let second = try await system.addIdentity("JUICETEAM1", "000111.second.0001", to: account)
        let (_, failure) = try await system.export(second, of: account)
        #expect(failure == .accountExists)
        let counts = try await system.store.transferCounts(to: PasswordSystem.target.team)
        #expect(counts.moved == 1 && counts.failed == [.accountExists: 1])
    }

    @Test("A late refusal doesn't remove a transfer subject")
    func lateAnswer() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let (id, _) = try await system.export(session.session.identityID, of: session.account.id)
        try await system.export(session.session.identityID, of: session.account.id, nil)
        #expect(try await system.store.transferCounts(to: PasswordSystem.target.team).exported == 1)
        let moved = try await system.move(id)
        #expect(moved == .moved(session.account.id))
    }

    @Test("A revocation that began before the move is stored for the person as they are after it")
    func revokedMeanwhile() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        var record = RevocationRecord.sample(in: session.session.id, at: system.now)
        record.appleToken = .sample(PasswordSystem.juice, at: system.now)
        let moved = try await system.move(system.export(session.session.identityID, of: session.account.id).id)
        #expect(moved == .moved(session.account.id))
        #expect(try await system.store.revoke(record).count > 0)
        let target = PasswordSystem.target
        let person = TokenHash.person(team: target.team, subject: target.subject)
        #expect(try await Set(system.revokedPeople()) == [person])
    }

    @Test("A disabled account is moved, and stays disabled")
    func disabled() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        _ = try await system.domain.directory.disable(session.account.id)
        let moved = try await system.move(system.export(session.session.identityID, of: session.account.id).id)
        #expect(moved == .moved(session.account.id))
        #expect(try await system.store.account(session.account.id)?.disabledAt != nil)
    }

    @Test("Several moves at once move the person once")
    func atOnce() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let (id, _) = try await system.export(session.session.identityID, of: session.account.id)
        let outcomes = try await withThrowingTaskGroup(of: TransferMove.self, returning: [TransferMove].self) { group in
            for _ in 0..<8 { group.addTask { try await system.move(id) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .moved(session.account.id) } == 1)
        #expect(outcomes.count { $0 == .movedBefore } == 7)
        let events = try await system.events(of: session.account.id)
        #expect(events.count { $0 == .identityTransferred } == 1)
    }

    @Test("It takes the place of a second account of the person, which keeps its other ways in")
    func replacing() async throws {
        let system = try await PasswordSystem()
        let former = try await system.session(of: system.signInWithApple())
        let other = try await system.makeAccount()
        let second = try await system.addIdentity(
            PasswordSystem.target.team, PasswordSystem.target.subject, to: other.account.id)
        let (id, _) = try await system.export(former.session.identityID, of: former.account.id)
        let randomness = system.clock.appleIDEnvironment.randomBytes
        func move(replacing account: AccountID) async throws -> TransferMove {
            try await system.store.move(
                id, to: PasswordSystem.target, at: system.now, by: .operator,
                identityID: IdentityID(at: system.now, randomness: randomness(10)),
                replacing: TransferReplacement(
                    accounts: [account], handle: DeletionHandle(randomness: randomness(32)).hash))
        }
        let refused = try await move(replacing: former.account.id)
        #expect(refused == .failed(.accountExists))
        let moved = try await move(replacing: other.account.id)
        #expect(moved == .movedReplacing(other.account.id, by: former.account.id))
        #expect(try await system.links.list(in: other.session).map(\.provider) == ["email"])
        #expect(try await system.signIn().account.id == other.account.id)
        #expect(try await system.events(of: other.account.id).contains(.unlinked))
        #expect(try await system.audit(of: other.account.id).contains(.identityUnlinked))
        let there = try await system.store.identities(of: former.account.id).filter {
            $0.team == PasswordSystem.target.team && $0.id != second
        }
        #expect(there.map(\.subject) == [PasswordSystem.target.subject])
        #expect(try await system.revokedPeople().isEmpty)
    }

    @Test("A notification from before the person's second account was opened doesn't end it")
    func replacingAfterNotification() async throws {
        let system = try await PasswordSystem()
        let former = try await system.session(of: system.signInWithApple())
        try await system.notify(.consentRevoked)
        system.clock.advance(by: .minutes(1))
        let other = try await system.makeAccount()
        _ = try await system.addIdentity(
            PasswordSystem.target.team, PasswordSystem.target.subject, to: other.account.id)
        let moment = system.now
        _ = try await system.store.write { connection in
            try connection.execute(
                "UPDATE identities SET last_authorized_at = ?2 WHERE subject = ?1",
                [.text(PasswordSystem.target.subject), .time(moment)])
        }
        let (id, _) = try await system.export(former.session.identityID, of: former.account.id)
        let randomness = system.clock.appleIDEnvironment.randomBytes
        let moved = try await system.store.move(
            id, to: PasswordSystem.target, at: system.now, by: .operator,
            identityID: IdentityID(at: system.now, randomness: randomness(10)),
            replacing: TransferReplacement(
                accounts: [other.account.id], handle: DeletionHandle(randomness: randomness(32)).hash))
        #expect(moved == .movedReplacing(other.account.id, by: former.account.id))
        #expect(try await system.end(of: former) == nil)
    }

    @Test("Mail to the former relay address is withdrawn")
    func mails() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        let identity = session.session.identityID
        let (id, _) = try await system.export(identity, of: session.account.id)
        let moment = system.now
        _ = try await system.store.write { connection in
            try connection.execute(
                """
                INSERT INTO mails (id, kind, account_id, identity_id, recipient_hash, is_relay, sealed, state, priority,
                    left_out, attempts, created_at, waiting_since, next_attempt_at, expires_at, leased_until)
                VALUES ('mail_1', 'new_device', ?1, ?2, ?3, ?4, ?3, 'waiting', 0, 0, 0, ?5, ?5, ?5, ?6, 0)
                """,
                [
                    .id(session.account.id), .id(identity), .bytes([UInt8](repeating: 1, count: 32)), .flag(true),
                    .time(moment), .time(moment + .days(1)),
                ])
        }
        let count = try await system.count("mails")
        var target = PasswordSystem.target
        target.relayAddress = "new@privaterelay.appleid.com"
        _ = try await system.move(id, to: target)
        #expect(try await system.count("mails") == count - 1)
    }

    @Test("Apple's word about forwarding from before the move counts", arguments: [true, false])
    func earlyForwarding(isOn: Bool) async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        let (id, _) = try await system.export(session.session.identityID, of: session.account.id)
        try await system.notify(.emailForwarding(isOn))
        var target = PasswordSystem.target
        target.relayAddress = "new@privaterelay.appleid.com"
        let moved = try await system.move(id, to: target)
        #expect(moved == .moved(session.account.id))
        let stored = try await system.store.read { connection in
            try connection.query("SELECT forwarding_on FROM identities", []) { try $0.optionalFlag() }
        }
        #expect(stored == [isOn])
        #expect(try await system.store.appleNotifications(limit: 1).map(\.outcome) == [.applied])
        #expect(try await system.events(of: session.account.id).contains(.emailForwardingChanged))
    }

    @Test(
        "An end of consent from before the move ends what Apple opened, or deletes the account",
        arguments: [true, false])
    func earlyEndOfConsent(deletes: Bool) async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let (id, _) = try await system.export(session.session.identityID, of: session.account.id)
        try await system.notify(.consentRevoked)
        let randomness = system.clock.appleIDEnvironment.randomBytes
        let moved = try await system.store.move(
            id, to: PasswordSystem.target, at: system.now, by: .operator,
            identityID: IdentityID(at: system.now, randomness: randomness(10)),
            deletion: deletes ? DeletionHandle(randomness: randomness(32)).hash : nil)
        #expect(moved == .moved(session.account.id))
        #expect(try await system.accountCount() == (deletes ? 0 : 1))
        if !deletes { #expect(try await system.end(of: session) == .appleConsentRevoked) }
    }

    @Test("The end of an Apple Account from before the move removes the identity, and the audit says so")
    func earlyEndOfAppleAccount() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let account = session.account.id
        let (id, _) = try await system.export(session.session.identityID, of: account)
        try await system.notify(.accountDeleted)
        let moved = try await system.move(id)
        #expect(moved == .moved(account))
        #expect(try await system.end(of: session) == .appleAccountDeleted)
        #expect(try await system.audit(of: account).isSuperset(of: [.identityTransferred, .identityRemoved]))
        #expect(try await system.count("transfers") == 0)
    }
}
