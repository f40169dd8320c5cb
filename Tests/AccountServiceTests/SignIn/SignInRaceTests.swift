import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Sign-ins, many at once", .eachDatabase)
struct SignInRaceTests {
    @Test("If fifty sign-ins use one identity token, one succeeds")
    func oneToken() async throws {
        let store = try await Engine.current.store()
        let used = UsedCredential.sample()
        let outcomes = try await atOnce(50) { index in
            try await signIn(.sample(.sample(Subject("person.\(index % 2)")), used: [used]), in: store)
        }
        #expect(outcomes.compactMap(\.self).count == 1)
    }

    @Test("Fifty first sign-ins of one person at once make one account with one identity")
    func onePerson() async throws {
        let store = try await Engine.current.store()
        let outcomes = try await atOnce(50) { _ in try await store.signIn(.sample()) }
        #expect(outcomes.count { $0.isNewAccount } == 1)
        #expect(Set(outcomes.map(\.account.id)).count == 1)
        #expect(Set(outcomes.map(\.session.identityID)).count == 1)
        for outcome in outcomes {
            let stored = try await store.session(outcome.session.id)
            #expect(stored?.session == outcome.session)
            #expect(stored?.account.id == outcome.account.id)
        }
    }

    @Test("Fifty people at once get an account each")
    func fiftyPeople() async throws {
        let store = try await Engine.current.store()
        let outcomes = try await atOnce(50) { index in
            try await store.signIn(.sample(.sample(Subject("person.\(index)"))))
        }
        #expect(outcomes.allSatisfy { $0.isNewAccount })
        #expect(Set(outcomes.map(\.account.id)).count == 50)
    }

    @Test("After fifty sign-ins at once every session shows the kept name")
    func pendingProfile() async throws {
        let store = try await Engine.current.store()
        try await store.keepPendingProfile(.sample())
        let outcomes = try await atOnce(50) { _ in try await store.signIn(.sample()) }
        for outcome in outcomes {
            #expect(try await store.session(outcome.session.id)?.account.name?.givenName == "Kept")
        }
    }

    /// Nil when something of the record was used before.
    private func signIn(_ record: SignInRecord, in store: AccountTransactions) async throws -> SignInOutcome? {
        do {
            return try await store.signIn(record)
        } catch let error as AccountError where error.code == .alreadyUsed {
            return nil
        }
    }
}

@Suite("Two changes of one person at once", .eachDatabase)
struct PersonRaceTests {
    @Test("If an end of consent overtakes a first sign-in, each takes the other into account, in either order")
    func endOfConsent() async throws {
        let store = try await Engine.current.store()
        let isRight = try await atOnce(60) { index in
            let subject = Subject("person \(index)")
            var record = SignInRecord.sample(at: .start + .minutes(5), .sample(subject))
            record.person.authorizedAt = .start
            async let receipt = store.applyNotification(
                .sample(.consentRevoked, subject, happenedAt: .start + .minutes(1)))
            let session = try await signIn(record, in: store)?.session.id
            _ = try await receipt
            guard let session else { return true }
            return try await store.session(session)?.ended?.reason == .appleConsentRevoked
        }
        #expect(isRight.count { !$0 } == 0)
    }

    @Test("A code that is redeemed while its account is deleted is revoked, and nothing is left behind")
    func redeemedWhileDeleted() async throws {
        let store = try await Engine.current.store()
        let isRight = try await atOnce(40) { index in
            let person = SignInRecord.Person.sample(Subject("person \(index)"))
            let hash = TokenHash.person(team: person.team, subject: person.subject)
            let opened = SignInRecord.sample(person)
            let identity = try await store.signIn(opened).session.identityID
            let code = OutboxEntry.sample(kind: .code, personHash: hash, identity: identity)
            try await store.insertIntoOutbox(code)
            let lease = QueueLease.sample(limit: 1_000)
            _ = try await store.leaseOutbox(lease)
            // Another of these may have taken it.
            let token = AppleToken.sample("com.example.juice")
            async let isTaken = store.endOutboxAttempt(code.id, owner: lease.owner, .redeemed(token), at: .start)
            let record = DeletionRecord.sample(in: opened.session.id)
            _ = try await store.deleteAccount(record)
            guard try await isTaken else { return true }
            let entry = try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue))
            return entry?.deletionHash == record.handleHash && entry?.state == .waiting
        }
        #expect(isRight.count { !$0 } == 0)
    }

    @Test("An entry that is postponed while a server takes it isn't taken before its time")
    func postponedWhileTaken() async throws {
        let store = try await Engine.current.store()
        for _ in 0..<30 {
            let person = TokenHash.sample()
            for _ in 0..<10 { try await store.insertIntoOutbox(.sample(personHash: person)) }
            let taken = try await atOnce(6) { index in
                guard index > 0 else {
                    try await store.postponeRevocations(of: person, at: .start, until: .start + .minutes(2))
                    return [OutboxEntry]()
                }
                return try await store.leaseOutbox(.sample(limit: 2))
            }
            #expect(taken.flatMap { $0 }.allSatisfy { $0.nextAttemptAt <= .start })
        }
    }

    /// Nil when the person has left since the record's token was issued.
    private func signIn(_ record: SignInRecord, in store: AccountTransactions) async throws -> SignInOutcome? {
        do {
            return try await store.signIn(record)
        } catch let error as AccountError where error.code == .tokenTooOld {
            return nil
        }
    }
}
