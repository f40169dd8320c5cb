#if PostgreSQL
    import AccountDatabase
    import AccountService
    import Foundation
    import Logging
    import Testing

    @testable import AccountPostgres

    extension SQLStatement {
        fileprivate static let whoWaitsForUsed: Self = """
            SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
            WHERE NOT l.granted AND l.relation = 'used'::regclass AND d.datname = current_database()
            """
    }

    @Suite("Migrations of the tables", .timeLimit(.minutes(2)))
    struct UpgradeTests {
        @Test("Other servers keep using a table while a new server waits for it, as during a backup")
        func busyTable() async throws {
            try await TestDatabase.run { test in
                var limits = PostgresLimits()
                limits.connections = 1
                limits.lockAlone = .milliseconds(200)
                limits.pauseAlone = .milliseconds(300)
                func open() throws -> PostgresDatabase {
                    PostgresDatabase(
                        try PostgresParameters(test.address()), limits: limits, logger: Logger(label: "test"))
                }
                let (backup, server, upgrade) = try (open(), open(), open())
                _ = try await server.write { try $0.execute("CREATE TABLE used (id BIGINT NOT NULL)") }

                let (isReading, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                async let read: Int64? = backup.read { connection in
                    let count = try connection.first("SELECT count(*) FROM used", []) { try $0.int64() }
                    isReading.signal()
                    isOver.wait()
                    return count
                }
                try await onThread { isReading.wait() }
                async let added: Int = upgrade.writeAlone { try $0.execute("ALTER TABLE used ADD COLUMN more BIGINT") }
                defer { isOver.signal() }
                for number in Int64(0)..<3 {
                    // Behind a change that waits in its turn, and would wait for as long as the backup takes.
                    try await server.write { connection in
                        while try !connection.returnsRow(.whoWaitsForUsed, []) {
                            sched_yield()
                        }
                        _ = try connection.execute("INSERT INTO used (id) VALUES (?1)", [.int64(number)])
                    }
                }
                isOver.signal()
                #expect(try await read == 0)
                _ = try await added
                let found = try await server.read { connection in
                    try connection.first("SELECT count(*), count(more) FROM used", []) { columns in
                        try [columns.int64(), columns.int64()]
                    }
                }
                #expect(found == [3, 0])
                for database in [backup, server, upgrade] { await database.close() }
            }
        }
    }
#endif
