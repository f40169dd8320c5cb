#if PostgreSQL
    import AccountDatabase
    import AccountEngines
    import AppleIDTypes
    import Foundation
    import Testing

    @testable import AccountService

    /// SQLite has one writer, so its transactions never meet.
    @Suite("The locks of a transfer, on PostgreSQL", .timeLimit(.minutes(1)))
    struct TransferLockTests {
        private static let former: TeamID = "JUICETEAM1"
        private static let new: TeamID = "CIDERTEAM2"
        private static let transferSubject: Subject = "000999.transfer.0001"

        /// Holds the locks of a transaction until it is told to end.
        private struct Holder {
            private let release = DispatchSemaphore(value: 0)
            private let task: Task<Void, any Error>

            init(
                in store: AccountTransactions, _ lock: @escaping @Sendable (any SQLConnection) throws -> Void
            ) async throws {
                let (held, begin) = AsyncStream.makeStream(of: Void.self)
                task = Task { [release] in
                    try await store.write { connection in
                        try lock(connection)
                        // The engine may send a lock with the next statement.
                        _ = try connection.first("SELECT count(*) FROM accounts", []) { try $0.int64() }
                        begin.yield()
                        _ = release.wait(timeout: .now() + .seconds(30))
                    }
                }
                var iterator = held.makeAsyncIterator()
                await iterator.next()
            }

            func end() async throws {
                release.signal()
                try await task.value
            }
        }

        /// The number of transactions on the server that wait for a lock.
        private func waiting(_ store: AccountTransactions) async throws -> Int64 {
            try await store.read { connection in
                try connection.first("SELECT count(*) FROM pg_locks WHERE NOT granted", []) { try $0.int64() } ?? 0
            }
        }

        /// Whether a transaction waits for the lock of a person.
        private func isWaited(for person: TokenHash, _ store: AccountTransactions) async throws -> Bool {
            let key = person.bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
            return try await store.read { connection in
                try connection.returnsRow(
                    """
                    SELECT pid FROM pg_locks
                    WHERE locktype = 'advisory' AND NOT granted AND (classid::bigint << 32 | objid::bigint) = ?1
                    """, [.int64(key)])
            }
        }

        @Test("A sign-in locks the former person, even if Apple's answer is stored while it waits")
        func lateAnswer() async throws {
            let store = try await Engine.postgres.store()
            // A store has few connections. Locks of people are the whole server's.
            let other = try await Engine.postgres.store()
            let known = try await store.signIn(.sample(.sample(team: Self.former)))
            let identity = try #require(try await store.identities(of: known.account.id).first)
            var person = SignInRecord.Person.sample("000999.moved.0001", team: Self.new)
            person.transferSubject = Self.transferSubject
            let record = SignInRecord.sample(person)
            let newPerson = TokenHash.person(team: person.team, subject: person.subject)
            let formerPerson = TokenHash.person(team: identity.team, subject: identity.subject)

            let holdsNew = try await Holder(in: other) { try $0.lock(person: newPerson) }
            let signIn = Task { try await store.signIn(record) }
            while try await !isWaited(for: newPerson, other) { await Task.yield() }
            try await store.keep(
                ExportedPerson(
                    person: PersonToExport(
                        identity: identity.id, account: known.account.id, subject: identity.subject),
                    id: TransferID(rawValue: "trf_1"), answer: .transferSubject(Self.transferSubject)),
                from: Self.former, to: Self.new, at: record.at)
            let holdsFormer = try await Holder(in: other) { try $0.lock(person: formerPerson) }
            try await holdsNew.end()
            // It must wait for the former person, and not be done meanwhile.
            var isWaiting = false
            for _ in 0..<2_000 where !isWaiting { isWaiting = try await isWaited(for: formerPerson, other) }
            #expect(isWaiting)
            #expect(try await store.identities(of: known.account.id).map(\.team) == [Self.former])
            try await holdsFormer.end()
            #expect(try await signIn.value.account.id == known.account.id)
        }

        @Test("A refusal that is stored while a sign-in moves the person undoes nothing")
        func lateRefusal() async throws {
            let store = try await Engine.postgres.store()
            // A store has few connections. Locks of people are the whole server's.
            let other = try await Engine.postgres.store()
            let known = try await store.signIn(.sample(.sample(team: Self.former)))
            let identity = try #require(try await store.identities(of: known.account.id).first)
            let asked = PersonToExport(identity: identity.id, account: known.account.id, subject: identity.subject)
            let moment = Timestamp.start
            try await store.keep(
                ExportedPerson(
                    person: asked, id: TransferID(rawValue: "trf_1"), answer: .transferSubject(Self.transferSubject)),
                from: Self.former, to: Self.new, at: moment)
            // The sign-in moves the person, and can't end. The refusal is of an earlier question.
            let holder = try await Holder(in: store) {
                _ = try $0.execute("LOCK TABLE sessions IN EXCLUSIVE MODE", [])
            }
            var person = SignInRecord.Person.sample("000999.moved.0001", team: Self.new)
            person.transferSubject = Self.transferSubject
            let record = SignInRecord.sample(person)
            let signIn = Task { try await store.signIn(record) }
            while try await waiting(other) < 1 { await Task.yield() }
            let refusal = Task {
                try await store.keep(
                    ExportedPerson(person: asked, id: TransferID(rawValue: "trf_2"), answer: .failure(.appleRefused)),
                    from: Self.former, to: Self.new, at: moment)
            }
            while try await waiting(other) < 2 { await Task.yield() }
            try await holder.end()
            #expect(try await signIn.value.account.id == known.account.id)
            _ = try await refusal.value
            let counts = try await store.transferCounts(to: Self.new)
            #expect(counts.moved == 1 && counts.failed == [:])
            #expect(try await store.identities(of: known.account.id).map(\.team) == [Self.new])
        }
    }
#endif
