#if PostgreSQL
    import AccountEngines
    import AccountPostgres
    import AccountDatabase
    import AccountService
    import AppleIDTypes
    import Foundation
    import InMemoryLogging
    import Logging
    import TaskSignals
    import Testing

    extension SQLStatement {
        fileprivate static let whoWaitsForThis: Self = """
            SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
            """
    }

    @Suite("Transactions about one person", .timeLimit(.minutes(2)))
    struct LockOrderTests {
        private static let team: TeamID = "TEAM000001"

        @Test("take their locks in one order, so that none blocks another and none runs twice")
        func noDeadlock() async throws {
            try await TestDatabase.run { database in
                let handler = InMemoryLogHandler()
                var logger = Logger(label: "test") { _ in handler }
                logger.logLevel = .debug
                let store = try await AccountTransactions.open(
                    .postgres(database.address(), connections: 6), logger: logger)
                for round in 0..<40 { try await meet(Subject("person \(round)"), in: store) }
                try await store.database.close()
                let repeats = handler.entries.filter { "\($0.message)".contains("runs again") }
                #expect(repeats.isEmpty, "\(repeats.map { "\($0.metadata)" })")
            }
        }

        @Test("A sign-in that has waited for another change of the account answers with that change")
        func changedMeanwhile() async throws {
            try await TestDatabase.withStore { store, _ in
                let first = try await store.signIn(.sample(name: .sample()))
                let account = first.account.id
                let returns = Lock<Task<SignInOutcome, any Error>?>(nil)
                try await store.database.write { connection in
                    _ = try connection.execute(
                        "UPDATE accounts SET revision = revision + 1, given_name = 'Jane' WHERE id = ?1", [.id(account)]
                    )
                    // It finds the account as it was, since this is not committed, and wants to change it, too.
                    returns.withLock { task in
                        task = Task { try await store.signIn(.sample(at: .start + .hours(1))) }
                    }
                    while try !connection.returnsRow(.whoWaitsForThis, []) { sched_yield() }
                }
                let second = try #require(await returns.withLock { $0 }?.value)
                #expect(second.account.name?.givenName == "Jane" && second.account.name?.familyName == "Appleseed")
                #expect(try await store.session(second.session.id)?.account == second.account)
                let events = try await store.accountEvents(of: account, after: 0, limit: 10)
                #expect(events.map(\.revision) == [1, 3])
            }
        }

        /// All that concerns a person at once: a late code, a deletion, a return, a kept name, Apple's word.
        private func meet(_ subject: Subject, in store: AccountTransactions) async throws {
            let person = SignInRecord.Person.sample(subject)
            let opened = SignInRecord.sample(person)
            let identity = try await store.signIn(opened).session.identityID
            let hash = TokenHash.person(team: Self.team, subject: subject)
            let code = OutboxEntry.sample(kind: .code, personHash: hash, identity: identity)
            try await store.insertIntoOutbox(code)
            try await store.keepPendingProfile(.sample(subject: subject))
            let lease = QueueLease.sample()
            _ = try await store.leaseOutbox(lease)

            async let settled = store.endOutboxAttempt(
                code.id, owner: lease.owner, .redeemed(.sample("com.example.juice")), at: .start)
            async let deleted: Void = delete(opened.session.id, in: store)
            async let back = store.signIn(.sample(at: .start + .hours(1), person))
            async let gone = store.applyNotification(.sample(.accountDeleted, subject, happenedAt: .start))
            async let revoked: Void = revoke(opened.session.id, in: store)
            _ = try await (settled, deleted, back, gone, revoked)
        }

        private func delete(_ session: SessionID, in store: AccountTransactions) async throws {
            try await unlessEnded { _ = try await store.deleteAccount(.sample(in: session)) }
        }

        private func revoke(_ session: SessionID, in store: AccountTransactions) async throws {
            try await unlessEnded { _ = try await store.revoke(.sample(in: session)) }
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
