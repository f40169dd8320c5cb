import AccountDatabase
import AccountSQLite
import AccountService
import InMemoryLogging
import Logging
import Testing

@Suite("The log while the database fails")
struct OutageLogTests {
    private func lines(_ log: InMemoryLogHandler) -> [String] {
        log.entries.filter { $0.level >= .notice }.map { entry in
            let metadata = entry.metadata.filter { $0.key != "seconds" }.sorted { $0.key < $1.key }
            return (["\(entry.level)", "\(entry.message)"] + metadata.map { "\($0.key)=\($0.value)" })
                .joined(separator: " ")
        }
    }

    private func write(_ bytes: Int, to database: AccountTransactions) async throws {
        _ = try await database.write { connection in
            try connection.execute(
                "INSERT INTO kept_names (team, subject, sealed, expires_at) VALUES ('team', 'private', ?1, 1)",
                [.bytes(Array(repeating: 7, count: bytes))])
        }
    }

    @Test("names the cause once, and the end when the failed operation works again")
    func fullDisk() async throws {
        try await withTemporaryFolder { folder in
            let log = InMemoryLogHandler()
            let database = try await AccountTransactions.open(
                .sqlite(folder + "/accounts.sqlite"), logger: Logger(label: "test") { _ in log })
            _ = try await database.write { try $0.query("PRAGMA max_page_count = 1", []) { try $0.int64() } }
            for _ in 0..<5 {
                let error = await #expect(throws: AccountError.self) { try await write(20_000, to: database) }
                #expect(error?.wordsOfDatabase != nil)
                // Reading goes on, which ends nothing.
                _ = try await database.read { try $0.query("SELECT count(*) FROM kept_names", []) { try $0.int64() } }
            }
            // The first of these ends the outage. The second is refused for its content, which is an answer.
            _ = try await database.write { try $0.query("PRAGMA max_page_count = 1000000", []) { try $0.int64() } }
            try await write(20_000, to: database)
            await #expect(throws: SQLiteFailure.self) { try await write(8, to: database) }
            #expect(
                lines(log) == [
                    "warning The database cannot do its work. cause=SQLite 13: database or disk is full "
                        + "reason=The disk or the database is full. suppressed=0",
                    "notice The database answers again. failures=5",
                ])
            try await database.database.close()
        }
    }

    @Test("has no line about a closed database")
    func closed() async throws {
        let log = InMemoryLogHandler()
        let database = try await AccountTransactions.open(.inMemory, logger: Logger(label: "test") { _ in log })
        try await database.database.close()
        await #expect(throws: AccountError(.unavailable, "")) { try await database.write { _ in } }
        #expect(lines(log).isEmpty)
    }
}
