import AccountDatabase
import Foundation
import Testing

@testable import siwa

@Suite("Commands that only read the database")
struct ReadingCommandsTests {
    /// The commands that list or show, and those that only say what they would do.
    private static let commands = [
        ["accounts", "list"], ["accounts", "show", "johnny"], ["accounts", "sessions", "johnny"],
        ["accounts", "export", "--all"], ["accounts", "export", "johnny"], ["accounts", "delete", "johnny"],
        ["accounts", "remove-password", "johnny"], ["outbox", "list"], ["mail", "list"], ["notifications"],
        ["daily-check", "list"], ["transfer", "status", "--to", "FGHIJ67890"],
        ["transfer", "forget", "--to", "FGHIJ67890"],
    ]

    @Test("make no tables, and refuse those of an older siwa", arguments: CommandDatabase.engines)
    func tables(on engine: String) async throws {
        try await CommandDatabase.with(engine) { database in
            if case .file(let path) = database.location { try Data().write(to: URL(filePath: path)) }
            let environment = [
                "SIWA_DATABASE": database.address,
                "SIWA_KEY_RING": "k1:" + Data(repeating: 1, count: 32).base64EncodedString(),
            ]
            for command in Self.commands {
                let result = try Transcript.run(command, environment: environment)
                #expect(result.status == 1 && result.output.isEmpty, "\(command)")
                #expect(result.complaints.contains("error: the database has no tables yet\nhint: "), "\(command)")
            }
            let empty = try await database.schemaState()
            #expect(empty == .empty)

            try await database.makeOlderTables()
            for command in Self.commands {
                let result = try Transcript.run(command, environment: environment)
                #expect(result.status == 1 && result.output.isEmpty, "\(command)")
                #expect(result.complaints.contains("the tables of an older siwa\nhint: start siwa serve"), "\(command)")
            }
            let older = try await database.schemaState()
            #expect(older == .older)
        }
    }
}
