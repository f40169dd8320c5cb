#if PostgreSQL
    import AccountDatabase
    import AccountService
    import Foundation
    import Logging
    import TaskSignals
    import Testing

    @testable import AccountPostgres

    @Suite("Connections to PostgreSQL", .timeLimit(.minutes(2)))
    struct ConnectionTests {
        @Test("A transaction that loses its connection runs again, and its effects are kept once")
        func lostInside() async throws {
            try await TestDatabase.withStore { store, _ in
                let runs = Count()
                let own = try await store.database.write { connection in
                    let first = runs.next() == 1
                    _ = try connection.execute("INSERT INTO belongs_to (singleton, apple) VALUES (1, 'apple')")
                    // The server ends this very connection, as an operator or a restart would.
                    if first { _ = try connection.execute("SELECT pg_terminate_backend(pg_backend_pid())") }
                    return try connection.first("SELECT count(*) FROM belongs_to", []) { try $0.int64() }
                }
                #expect(own == 1)
                #expect(runs.value == 2)
            }
        }

        @Test("A connection that was lost while it was idle is replaced without an error")
        func lostIdle() async throws {
            try await TestDatabase.withStore(connections: 1) { store, database in
                try await store.check()
                try await TestDatabase.run(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database.name)'")
                try await store.check()
            }
        }

        @Test("If a server takes no writes, its connection is replaced, and the transaction runs again on the new one")
        func noWrites() async throws {
            try await TestDatabase.withStore(connections: 1) { store, _ in
                let pid: SQLStatement = "SELECT pg_backend_pid()"
                let before = try await store.database.lookUp(pid, []) { try $0.int64() }
                let runs = Count()
                let after = try await store.database.write { connection in
                    if runs.next() == 1 { _ = try connection.execute("SET TRANSACTION READ ONLY") }
                    _ = try connection.execute("INSERT INTO belongs_to (singleton, apple) VALUES (1, 'apple')")
                    return try connection.query(pid, []) { try $0.int64() }
                }
                #expect(runs.value == 2)
                #expect(before.count == 1 && after.count == 1 && before != after)
            }
        }

        @Test("A standby's refusal to begin a writing transaction is unavailable, and no other refusal of its kind")
        func standby() throws {
            for kind in [TransactionKind.writing, .writingAlone] {
                let failure = PostgresFailure(
                    .refused(state: "0A000"), message: "cannot set transaction read-write mode during recovery",
                    statement: kind.beginning.text)
                #expect(failure.mayPassOnRepeat && failure.endsConnection)
                let error = try #require(PostgresFailure.storeError(for: failure) as? SQLDatabaseError)
                #expect(error.code == .unavailable && error.reason == "The database takes no writes.")
            }
            let unknown = PostgresFailure(.refused(state: "0A000"), message: "", statement: "SELECT 1")
            #expect(!unknown.mayPassOnRepeat && !unknown.endsConnection)
            #expect(PostgresFailure.storeError(for: unknown) is PostgresFailure)
        }

        @Test("A connection that opens after the password has changed logs in with the new one")
        func newPassword() async throws {
            try await TestDatabase.run { test in
                let role = "role_\(test.name)"
                try await TestDatabase.run("CREATE ROLE \(role) LOGIN PASSWORD 'former' IN ROLE asked")
                let password = PostgresPassword("former")
                let database = try PostgresDatabase(
                    address: test.address(user: role), password: password, connections: 1,
                    logger: Logger(label: "test"))
                func currentRole() async throws -> [String] {
                    try await database.read { try $0.query("SELECT current_user::text", []) { try $0.text() } }
                }
                let newConnections =
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(role)'"
                #expect(try await currentRole() == [role])
                try await TestDatabase.run("ALTER ROLE \(role) PASSWORD 'latter'; \(newConnections)")
                await #expect(throws: (any Error).self) { try await currentRole() }
                password.replace(with: PostgresPassword("latter"))
                #expect(try await currentRole() == [role])
                await database.close()
                try await TestDatabase.run("DROP ROLE \(role)")
            }
        }

        @Test("A password is never shown, and can't be given both in the address and beside it")
        func hiddenPassword() throws {
            let password = PostgresPassword("hunter2")
            var dumped = ""
            dump(password, to: &dumped)
            #expect(!("\(password)" + String(reflecting: password) + dumped).contains("hunter2"))
            let error = #expect(throws: SQLDatabaseError.self) {
                _ = try PostgresParameters("postgres://siwa:hunter2@localhost/siwa", password: password)
            }
            #expect(error?.code == .configuration && error?.reason.contains("hunter2") == false)
        }

        @Test("If two transactions block each other, both succeed, one of them at the second try")
        func deadlock() async throws {
            try await TestDatabase.withStore { store, _ in
                try await store.database.write { connection in
                    _ = try connection.execute("CREATE TABLE pair (id BIGINT PRIMARY KEY, count BIGINT NOT NULL)")
                    _ = try connection.execute("INSERT INTO pair VALUES (1, 0), (2, 0)")
                }
                let runs = Count()
                let meet: @Sendable () -> Void = {
                    // In the first run of each, both hold their first row before either asks for its second.
                    if runs.next() <= 2 {
                        while runs.value < 2 { sched_yield() }
                    }
                }
                async let one: Void = store.database.write { connection in
                    _ = try connection.execute("UPDATE pair SET count = count + 1 WHERE id = 1")
                    meet()
                    _ = try connection.execute("UPDATE pair SET count = count + 1 WHERE id = 2")
                }
                async let other: Void = store.database.write { connection in
                    _ = try connection.execute("UPDATE pair SET count = count + 1 WHERE id = 2")
                    meet()
                    _ = try connection.execute("UPDATE pair SET count = count + 1 WHERE id = 1")
                }
                _ = try await (one, other)
                let counts = try await store.database.read { connection in
                    try connection.query("SELECT count FROM pair ORDER BY id", []) { try $0.int64() }
                }
                #expect(counts == [2, 2])
                // A second time too, where the one that runs again is faster than the one that goes on.
                #expect(runs.value >= 3)
            }
        }

        @Test("A commit whose answer is lost isn't repeated, and the caller learns that its outcome is unknown")
        func commitUnanswered() async throws {
            try await TestDatabase.withStore { store, _ in
                try await store.database.write { connection in
                    // Runs inside COMMIT: the server ends the connection there.
                    _ = try connection.execute(
                        """
                        CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS
                        'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'
                        """)
                    _ = try connection.execute(
                        """
                        CREATE CONSTRAINT TRIGGER leave AFTER INSERT ON belongs_to
                        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION leave()
                        """)
                }
                let runs = Count()
                let error = await #expect(throws: SQLDatabaseError.self) {
                    try await store.database.write { connection in
                        _ = runs.next()
                        _ = try connection.execute("INSERT INTO belongs_to (singleton, apple) VALUES (1, 'apple')")
                    }
                }
                #expect(error?.code == .unavailable)
                #expect(runs.value == 1)
            }
        }

        /// Simulates that another of the server's connections has this session from here on.
        private static let changes: [(SQLStatement, state: String)] = [
            ("DEALLOCATE ALL", "26000"),
            (
                """
                DO $$ BEGIN FOR number IN 0..999 LOOP
                    BEGIN EXECUTE 'PREPARE s' || number || ' AS SELECT 1';
                    EXCEPTION WHEN duplicate_prepared_statement THEN NULL; END;
                END LOOP; END $$
                """, "42P05"
            ),
        ]

        @Test("The error for a transaction pooler that drops prepared statements names the cause", arguments: changes)
        func poolerOfTransactions(change: SQLStatement, state: String) async throws {
            try await TestDatabase.withStore(connections: 1) { store, _ in
                let error = await #expect(throws: SQLDatabaseError.self) {
                    try await store.database.write { connection in
                        _ = try connection.execute("SELECT 1")
                        _ = try connection.execute(change)
                        _ = try connection.execute(state == "26000" ? "SELECT 1" : "SELECT 2")
                    }
                }
                #expect(error?.code == .unavailable)
                #expect(error?.reason.contains("with PgBouncer, set pool_mode = session") == true)
                #expect((error?.cause as? PostgresFailure)?.kind == .refused(state: state))
            }
        }

        @Test("A server that accepts the connection and never answers fails at the time limit")
        func silent() async throws {
            let (listener, port) = try listenOnLoopback()
            defer { close(listener) }
            var limits = PostgresLimits()
            limits.connecting = .milliseconds(300)
            limits.connections = 1
            let database = PostgresDatabase(
                try PostgresParameters("postgres://siwa@127.0.0.1:\(port)/siwa"), limits: limits,
                logger: Logger(label: "test"))
            let error = await #expect(throws: SQLDatabaseError.self) {
                try await database.read { _ = try $0.execute("SELECT 1") }
            }
            #expect(error?.code == .unavailable)
            #expect((error?.cause as? PostgresFailure)?.kind == .timedOut)
            await database.close()
        }

        @Test("The server ends an endless statement, and the connection stays usable")
        func slow() async throws {
            try await TestDatabase.run { test in
                var limits = PostgresLimits()
                // Long, since a busy machine may be late to hear what the server says.
                limits.transaction = .seconds(60)
                limits.connecting = .seconds(60)
                limits.connections = 1
                let database = PostgresDatabase(
                    try PostgresParameters(test.address()), limits: limits, logger: Logger(label: "test"))
                let pid: @Sendable () async throws -> Int64? = {
                    try await database.read { connection in
                        try connection.first("SELECT pg_backend_pid()", []) { try $0.int64() }
                    }
                }
                let before = try await pid()
                let allowed = try await database.read { connection in
                    try connection.first("SELECT current_setting('statement_timeout')", []) { try $0.text() }
                }
                // Less than this side waits.
                #expect(allowed == "40s")
                let error = await #expect(throws: SQLDatabaseError.self) {
                    try await database.read { connection in
                        // The test does not wait for all of that.
                        _ = try connection.execute("SET LOCAL statement_timeout = 100")
                        _ = try connection.execute("SELECT pg_sleep(600)")
                    }
                }
                #expect(error?.code == .unavailable)
                #expect((error?.cause as? PostgresFailure)?.kind == .refused(state: "57014"))
                #expect(try await pid() == before)
                await database.close()
            }
        }

        @Test("A call that has waited too long is refused, and so is one after closing")
        func queue() async throws {
            try await TestDatabase.run { test in
                var limits = PostgresLimits()
                limits.connections = 1
                limits.maximumQueueLength = 2
                limits.waiting = .zero
                let database = PostgresDatabase(
                    try PostgresParameters(test.address()), limits: limits, logger: Logger(label: "test"))
                let late = await #expect(throws: SQLDatabaseError.self) {
                    try await database.read { _ = try $0.execute("SELECT 1") }
                }
                #expect(late?.code == .unavailable)
                await database.close()
                let closed = await #expect(throws: SQLDatabaseError.self) {
                    try await database.read { _ = try $0.execute("SELECT 1") }
                }
                #expect(closed?.code == .unavailable)
            }
        }

        @Test("Closing during calls gives each call its own value or an error")
        func closing() async throws {
            try await TestDatabase.run { test in
                let database = try PostgresDatabase(
                    address: test.address(), connections: 2, logger: Logger(label: "test"))
                let values = try await withThrowingTaskGroup(of: Int64?.self) { group in
                    for number in 0..<20 {
                        group.addTask {
                            try await database.read {
                                try $0.first("SELECT ?1", [.int64(Int64(number))]) { try $0.int64() }
                            }
                        }
                    }
                    var values: [Int64?] = [try await group.next() ?? nil]
                    await database.close()
                    while let result = await group.nextResult() {
                        // A write that comes after the closing began is refused.
                        if case .success(let value) = result { values.append(value) }
                    }
                    return values
                }
                #expect(Set(values.compactMap(\.self)).count == values.count)
                await database.close()
            }
        }
    }

    /// Counts what runs on any thread.
    final class Count: Sendable {
        private let count = Lock(0)

        var value: Int { count.withLock(\.self) }

        /// - Returns: which one this is, from 1.
        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }
#endif
