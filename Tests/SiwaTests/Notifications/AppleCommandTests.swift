import AccountDatabase
import AccountSQLite
import AccountService
import AppleIDTypes
import Foundation
import Testing

#if PostgreSQL
    import AccountPostgres
#endif

@Suite("siwa notifications and siwa daily-check")
struct AppleCommandTests {
    /// A database as a server has it open.
    private func withDatabase(
        _ engine: String, _ body: (_ store: AccountTransactions, _ path: String) async throws -> Void
    ) async throws {
        try await CommandDatabase.with(engine) { database in
            try await database.withStore { try await body($0, database.address) }
        }
    }

    private func stopCheck(in store: AccountTransactions) async throws {
        let stop: @Sendable (any SQLConnection) throws -> Void = { connection in
            try connection.execute(
                """
                INSERT INTO stopped_checks (client_id, stopped_at, checked, died)
                VALUES ('com.example.juice', 1750000000000000, 300, 25)
                """)
        }
        try await store.database.write(stop)
    }

    @Test(
        "shows what Apple sent and what became of it, and nothing that a terminal would obey",
        arguments: CommandDatabase.engines)
    func notifications(on engine: String) async throws {
        try await withDatabase(engine) { store, path in
            let none = try Transcript.run(["notifications", "--database", path])
            #expect(none.status == 0 && none.output.hasPrefix("No notification"))
            _ = try await store.applyNotification(
                AppleNotification(
                    id: "1", type: EventType("orchard\u{1B}[31m"), change: .other, team: "TEAM000001",
                    audience: "com.example.juice", subject: "001999.person",
                    happenedAt: Timestamp(secondsSince1970: 1_750_000_000),
                    receivedAt: Timestamp(secondsSince1970: 1_750_000_001)))
            let one = try Transcript.run(["notifications", "--database", path])
            #expect(one.output == "2025-06-15T15:06:41Z  orchard?[31m  unknown_type  -\n")
            let json = try Transcript.run(["notifications", "--database", path, "--json"])
            #expect(
                json.output
                    == #"{"account":null,"client":"com.example.juice","happenedAt":"2025-06-15T15:06:40Z","#
                    + #""outcome":"unknown_type","receivedAt":"2025-06-15T15:06:41Z","type":"orchard\u001b[31m"}"#
                    + "\n")
            #expect(try Transcript.run(["notifications", "--database", path, "--limit", "0"]).status == 2)
        }
    }

    @Test("shows a stopped check and resumes it", arguments: CommandDatabase.engines)
    func dailyCheck(on engine: String) async throws {
        try await withDatabase(engine) { store, path in
            try await stopCheck(in: store)
            let list = try Transcript.run(["daily-check", "--database", path])
            #expect(
                list.output
                    == "com.example.juice  stopped 2025-06-15T15:06:40Z: 25 of 300 checks within an hour found a dead "
                    + "token\n")
            #expect(list.status == 1)
            let json = try Transcript.run(["daily-check", "list", "--json", "--database", path])
            #expect(json.status == 1)
            #expect(
                json.output
                    == #"{"checked":300,"client":"com.example.juice","died":25,"stoppedAt":"2025-06-15T15:06:40Z"}"#
                    + "\n")
            let other = try Transcript.run(["daily-check", "resume", "com.example.other", "--database", path])
            #expect(other.status == 1 && other.complaints.contains("hint: "))
            let resumed = try Transcript.run(
                ["daily-check", "resume", "com.example.juice", "--database", path, "--json"])
            #expect(resumed.status == 0)
            #expect(resumed.output == "{\n  \"client\" : \"com.example.juice\",\n  \"state\" : \"resumed\"\n}\n")
            #expect(try await store.stoppedChecks().isEmpty)
            let none = try Transcript.run(["daily-check", "list", "--database", path])
            #expect(none.output == "No check is stopped.\n" && none.status == 0)
            let event = try await store.auditEntries(of: nil, before: nil, limit: 9).first?.event
            #expect(event == .dailyCheckResumed)
        }
    }

    @Test("makes no database if there is none", arguments: ["notifications", "daily-check"])
    func noDatabase(command: String) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "siwa-\(UUID().uuidString).sqlite").path
        let result = try Transcript.run([command, "--database", path])
        #expect(result.status == 1 && result.complaints.contains("there is no database"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
