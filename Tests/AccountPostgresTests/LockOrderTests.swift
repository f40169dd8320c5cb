#if PostgreSQL
    import AccountPostgres
    import AccountService
    import AppleIDTypes
    import InMemoryLogging
    import Logging
    import Testing

    @testable import AccountTesting

    @Suite("Transactions about one person")
    struct LockOrderTests {
        private static let team: TeamID = "TEAM000001"

        @Test("lock in one order: none waits for another that waits for it, and so none runs twice")
        func noDeadlock() async throws {
            try await TestDatabase.run { database in
                let handler = InMemoryLogHandler()
                var logger = Logger(label: "test") { _ in handler }
                logger.logLevel = .debug
                let store = try await PostgresAccountStore.open(
                    address: database.address(), connections: 6, logger: logger)
                for round in 0..<40 { try await meet(Subject("person \(round)"), in: store) }
                await store.database.close()
                let repeats = handler.entries.filter { "\($0.message)".contains("runs again") }
                #expect(repeats.isEmpty, "\(repeats.map { "\($0.metadata)" })")
            }
        }

        /// All that concerns a person at once: a late code, a deletion, a return, a kept name, Apple's word.
        private func meet(_ subject: Subject, in store: PostgresAccountStore) async throws {
            let person = SignInRecord.Person.sample(subject)
            let opened = SignInRecord.sample(person)
            let identity = try await store.signIn(opened).session.identityID
            let hash = OutboxEntry.personHash(team: Self.team, subject: subject)
            let code = OutboxEntry.sample(kind: .code, personHash: hash, identity: identity)
            try await store.insertIntoOutbox(code)
            try await store.keepName(.sample(subject: subject))
            let lease = OutboxLease.sample()
            _ = try await store.leaseOutbox(lease)

            async let settled = store.settleOutbox(
                code.id, owner: lease.owner, .redeemed(.sample("com.example.juice")), at: .start)
            async let deleted: Void = delete(opened.session.id, in: store)
            async let back = store.signIn(.sample(at: .start + .hours(1), person))
            async let gone = store.applyNotification(.sample(.accountDeleted, subject, happenedAt: .start))
            async let revoked: Void = revoke(opened.session.id, of: hash, in: store)
            _ = try await (settled, deleted, back, gone, revoked)
        }

        private func delete(_ session: SessionID, in store: PostgresAccountStore) async throws {
            try await unlessEnded { _ = try await store.deleteAccount(.sample(in: session)) }
        }

        private func revoke(_ session: SessionID, of person: TokenHash, in store: PostgresAccountStore) async throws {
            var record = Revocation.sample(in: session)
            record.personHash = person
            try await unlessEnded { [record] in _ = try await store.revoke(record) }
        }

        /// Another of them may have ended the session.
        private func unlessEnded(_ work: () async throws -> Void) async throws {
            do {
                try await work()
            } catch let error as AccountError where error.code == .sessionEnded {
                return
            }
        }
    }
#endif
