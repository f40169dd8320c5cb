import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    /// Two things that concern one person at once.
    static let personRaces: [Self] = [
        Self("A first sign-in and the end of consent that overtakes it know of each other, whoever is first") {
            store async throws in
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
        },
        Self("A code that is redeemed while its account is deleted is revoked, and nothing is left behind") {
            store async throws in
            let isRight = try await atOnce(40) { index in
                let person = SignInRecord.Person.sample(Subject("person \(index)"))
                let hash = OutboxEntry.personHash(team: person.team, subject: person.subject)
                let opened = SignInRecord.sample(person)
                let identity = try await store.signIn(opened).session.identityID
                let code = OutboxEntry.sample(kind: .code, personHash: hash, identity: identity)
                try await store.insertIntoOutbox(code)
                let lease = OutboxLease.sample(limit: 1_000)
                _ = try await store.leaseOutbox(lease)
                // Another of these may have taken it.
                let token = AppleToken.sample("com.example.juice")
                async let isSettled = store.settleOutbox(code.id, owner: lease.owner, .redeemed(token), at: .start)
                let record = AccountDeletion.sample(in: opened.session.id)
                _ = try await store.deleteAccount(record)
                guard try await isSettled else { return true }
                let entry = try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue))
                return entry?.deletionHash == record.handleHash && entry?.state == .waiting
            }
            #expect(isRight.count { !$0 } == 0)
        },
        Self("An entry that is put off while somebody takes it is not taken before its time") { store async throws in
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
        },
    ]

    /// Nil when the person has left since the record's token was issued.
    private static func signIn(_ record: SignInRecord, in store: any AccountStore) async throws -> SignInOutcome? {
        do {
            return try await store.signIn(record)
        } catch let error as AccountError where error.code == .tokenTooOld {
            return nil
        }
    }
}
