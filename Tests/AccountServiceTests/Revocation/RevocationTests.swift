import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Revocations", .eachDatabase)
struct RevocationTests {
    @Test("Held tokens go to the outbox with their seal and client, and other people's tokens stay")
    func heldTokens() async throws {
        let store = try await Engine.current.store()
        let tokens = ["com.example.juice", "com.example.juice.web"].map { AppleToken.sample(ClientID($0)) }
        var opened = SignInRecord.sample(appleToken: tokens[0])
        _ = try await store.signIn(opened)
        opened = .sample(appleToken: tokens[1])
        let identity = try await store.signIn(opened).session.identityID
        let foreign = AppleToken.sample("com.example.juice")
        let other = try await store.signIn(.sample(.sample("someone.else"), appleToken: foreign))

        let record = RevocationRecord.sample(in: opened.session.id)
        #expect(try await store.revoke(record).count == 2)
        #expect(try await store.appleTokens(of: identity).isEmpty)
        #expect(try await store.appleTokens(of: other.session.identityID) == [foreign])
        let person = TokenHash.person(team: opened.person.team, subject: opened.person.subject)
        for token in tokens {
            let entry = try #require(try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue)))
            let expected = OutboxEntry(
                revoking: token, personHash: person, identityID: identity, at: record.at)
            #expect(entry == expected)
            #expect(entry.clientID == token.clientID && entry.sealed == token.sealed)
        }
        // The session goes on.
        #expect(try await store.session(opened.session.id)?.ended == nil)
        #expect(try await store.revoke(.sample(in: opened.session.id)).count == 0)
    }

    @Test("Manual removal is asked for after a code without a result, and not after an old revocation")
    func removedByHand() async throws {
        let store = try await Engine.current.store()
        for isRedeemed in [true, false] {
            let subject = Subject("person \(isRedeemed)")
            let person = TokenHash.person(team: "TEAM000001", subject: subject)
            let session = try await store.signIn(.sample(.sample(subject))).session
            let code = OutboxEntry.sample(kind: .code, personHash: person, identity: session.identityID)
            try await store.insertIntoOutbox(code)
            let record = RevocationRecord.sample(in: session.id)
            let work = try await store.revoke(record)
            #expect(work == RevocationWork(count: 1, needsManualRemoval: false))
            for _ in 0..<2 {
                #expect(try await store.revoke(record) == RevocationWork(count: 0, needsManualRemoval: false))
                let lease = QueueLease.sample()
                guard let entry = try await store.leaseOutbox(lease).first else { break }
                let outcome: OutboxOutcome =
                    if entry.kind == .revocation { .done } else if isRedeemed {
                        .redeemed(.sample("com.example.juice"))
                    } else { .expired(failure: "grant_rejected") }
                _ = try await store.endOutboxAttempt(entry.id, owner: lease.owner, outcome, at: .start)
                if !isRedeemed { break }
            }
            let again = try await store.revoke(record)
            #expect(again == RevocationWork(count: 0, needsManualRemoval: !isRedeemed))
            if isRedeemed {
                _ = try await store.sweep(
                    at: .start + .days(40), sessionsBefore: .start - .days(1), limit: 100)
                #expect(try await store.revoke(record).needsManualRemoval == false)
            }
            let purge = PurgeRecord.sample(of: session.accountID)
            let left = try await store.purgeAccount(purge)
            #expect(left == RevocationWork(count: 0, needsManualRemoval: !isRedeemed))
            #expect(try await store.deletion(purge.handleHash)?.asksApple == isRedeemed)
        }
    }

    @Test("Manual removal isn't asked for after Apple has ended the authorization")
    func afterEndOfConsent() async throws {
        let store = try await Engine.current.store()
        let account = try await store.signIn(.sample()).account.id
        _ = try await store.applyNotification(.sample(.consentRevoked, happenedAt: .start + .hours(1)))
        let purge = PurgeRecord.sample(of: account)
        #expect(try await store.purgeAccount(purge) == RevocationWork(count: 0, needsManualRemoval: false))
        #expect(try await store.deletion(purge.handleHash)?.asksApple == true)
    }

    @Test("The token of a code is revoked with the others, and the code is used up")
    func tokenOfCode() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        _ = try await store.signIn(opened)
        var record = RevocationRecord.sample(in: opened.session.id)
        record.used = [.sample(.code)]
        let brought = AppleToken.sample("com.example.juice")
        record.appleToken = brought
        #expect(try await store.revoke(record).count == 2)
        #expect(try await store.outboxEntry(OutboxID(rawValue: brought.id.rawValue))?.sealed == brought.sealed)
        let error = await expectError(.alreadyUsed) { _ = try await store.revoke(record) }
        #expect(error?.used == .code)
    }

    @Test("An ended session revokes nothing")
    func endedSession() async throws {
        let store = try await Engine.current.store()
        let token = AppleToken.sample("com.example.juice")
        let opened = SignInRecord.sample(appleToken: token)
        let identity = try await store.signIn(opened).session.identityID
        _ = try await store.endSession(opened.session.id, .sample(at: .start, .signedOut))
        await expectError(.sessionEnded) { _ = try await store.revoke(.sample(in: opened.session.id)) }
        #expect(try await store.appleTokens(of: identity) == [token])
    }

    @Test("If the person signs in again, waiting revocations are withdrawn, even parked ones")
    func withdrawnBySignIn() async throws {
        let store = try await Engine.current.store()
        let person = TokenHash.person(team: "TEAM000001", subject: "001999.person")
        let entries = (0..<3).map { _ in OutboxEntry.sample(personHash: person) }
        let code = OutboxEntry.sample(kind: .code, personHash: person)
        let foreign = OutboxEntry.sample()
        for entry in entries + [code, foreign] { try await store.insertIntoOutbox(entry) }
        let lease = QueueLease.sample()
        _ = try await store.leaseOutbox(lease)
        _ = try await store.endOutboxAttempt(entries[0].id, owner: lease.owner, .parked(failure: "x"), at: .start)
        _ = try await store.endOutboxAttempt(
            entries[1].id, owner: lease.owner, .again(at: .start + .hours(1), failure: "x"), at: .start)

        _ = try await store.signIn(.sample(appleToken: .sample("com.example.juice")))
        for entry in entries {
            let found = try #require(try await store.outboxEntry(entry.id))
            #expect(found.state == .withdrawn && found.sealed == nil && found.finishedAt == .start)
        }
        #expect(try await store.outboxEntry(code.id)?.state == .waiting)
        #expect(try await store.outboxEntry(foreign.id)?.state == .waiting)
        #expect(try await store.retryParked(at: .start, by: .operator) == 0)

        // One entry was being tried meanwhile. Its failure revives nothing, and its success is recorded.
        let failed = OutboxOutcome.again(at: .start, failure: "x")
        #expect(try await store.endOutboxAttempt(entries[2].id, owner: lease.owner, failed, at: .start) == false)
        #expect(try await store.outboxEntry(entries[2].id)?.state == .withdrawn)
        #expect(try await store.endOutboxAttempt(entries[2].id, owner: lease.owner, .done, at: .start))
        #expect(try await store.outboxEntry(entries[2].id)?.state == .done)
    }

    @Test("A person's revocations can be postponed, except those that are being tried")
    func postponed() async throws {
        let store = try await Engine.current.store()
        let person = TokenHash.sample()
        let (waiting, tried) = (OutboxEntry.sample(personHash: person), OutboxEntry.sample(personHash: person))
        let foreign = OutboxEntry.sample()
        try await store.insertIntoOutbox(tried)
        #expect(try await store.leaseOutbox(.sample()).count == 1)
        try await store.insertIntoOutbox(waiting)
        try await store.insertIntoOutbox(foreign)
        try await store.postponeRevocations(of: person, at: .start, until: .start + .minutes(2))
        #expect(try await store.outboxEntry(waiting.id)?.nextAttemptAt == .start + .minutes(2))
        #expect(try await store.outboxEntry(tried.id)?.nextAttemptAt == tried.nextAttemptAt)
        #expect(try await store.leaseOutbox(.sample()).map(\.id) == [foreign.id])
    }

    @Test("A reauthentication withdraws waiting revocations, too")
    func withdrawnByReauthentication() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        _ = try await store.signIn(opened)
        #expect(try await store.revoke(.sample(in: opened.session.id)).count == 1)
        _ = try await store.reauthenticate(.sample(of: opened.session.id))
        #expect(try await store.leaseOutbox(.sample(at: .start + .hours(1))).isEmpty)
    }
}
