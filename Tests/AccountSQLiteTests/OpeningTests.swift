import AccountDatabase
import AccountSQLite
import AccountService
import Foundation
import Logging
import Testing

@Suite("Opening a SQLite store")
struct OpeningTests {
    @Test("A commit waits for the disk, in the write-ahead log, with foreign keys on")
    func settings() async throws {
        try await withStoreOnDisk { store in
            let settings = try await store.database.write { connection in
                try [
                    connection.first("PRAGMA synchronous", []) { try "\($0.int64())" },
                    connection.first("PRAGMA journal_mode", []) { try $0.text() },
                    connection.first("PRAGMA foreign_keys", []) { try "\($0.int64())" },
                    connection.first("PRAGMA busy_timeout", []) { try "\($0.int64())" },
                ]
            }
            #expect(settings == ["2", "wal", "1", "5000"])
        }
    }

    @Test("All data are there after closing and opening again")
    func reopening() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/accounts.sqlite"
            let first = try await AccountTransactions.open(.sqlite(path))
            #expect(try await first.bind(toIssuer: "apple") == "apple")
            let outcome = try await first.signIn(.numbered(1))
            try await first.keepPendingProfile(.numbered(1))
            let before = try await first.session(outcome.session.id)
            try await first.database.close()
            let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
            #expect((log ?? 0) == 0, "the write-ahead log was moved into the file")

            let second = try await AccountTransactions.open(.sqlite(path))
            #expect(try await second.bind(toIssuer: "http://127.0.0.1:4010") == "apple")
            #expect(try await second.session(outcome.session.id) == before)
            #expect(try await second.appleTokens(of: outcome.session.identityID).count == 1)
            await #expect(throws: AccountError(.alreadyUsed, "")) { try await second.signIn(.numbered(1)) }
            #expect(try await second.signIn(.numbered(2)).account == outcome.account)
            try await second.database.close()
        }
    }

    @Test("Opening again changes nothing in the schema")
    func migratingTwice() async throws {
        try await withTemporaryFolder { folder in
            func schema() async throws -> [String] {
                let store = try await AccountTransactions.open(.sqlite(folder + "/accounts.sqlite"))
                let lines = try await store.database.read { connection in
                    try connection.query("SELECT name FROM migrations ORDER BY name", []) { try $0.text() }
                        + connection.query("SELECT name FROM sqlite_schema ORDER BY name", []) { try $0.text() }
                }
                try await store.database.close()
                return lines
            }
            let first = try await schema()
            #expect(first.contains("sessions"))
            #expect(try await schema() == first)
        }
    }

    @Test("Two processes that open a new file at once both find it ready")
    func openingAtOnce() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/accounts.sqlite"
            async let one = AccountTransactions.open(.sqlite(path))
            async let other = AccountTransactions.open(.sqlite(path))
            for store in try await [one, other] {
                try await store.check()
                try await store.database.close()
            }
        }
    }

    @Test("A new file that is opened twice at once works, fifty times")
    func openingAtOnceAgainAndAgain() async throws {
        try await withTemporaryFolder { folder in
            for number in 1...50 {
                let path = folder + "/accounts\(number).sqlite"
                async let one = AccountTransactions.open(.sqlite(path))
                async let other = AccountTransactions.open(.sqlite(path))
                for store in try await [one, other] { try await store.database.close() }
            }
        }
    }

    @Test("A database that a newer program has opened is refused and left alone")
    func newerDatabase() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/accounts.sqlite"
            let store = try await AccountTransactions.open(.sqlite(path))
            _ = try await store.database.write { connection in
                try connection.execute("INSERT INTO migrations (name) VALUES ('from the future')")
            }
            try await store.database.close()
            for _ in 0..<2 {
                await #expect(throws: AccountError(.databaseTooNew, "")) {
                    _ = try await AccountTransactions.open(.sqlite(path))
                }
            }
        }
    }

    @Test("The file, its side files and a new folder are accessible to their owner only")
    func permissions() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/state/siwa/accounts.sqlite"
            let store = try await AccountTransactions.open(.sqlite(path))
            _ = try await store.signIn(.numbered(1))
            for name in ["", "-wal", "-shm"] {
                #expect(try permissions(path + name) == 0o600)
            }
            #expect(try permissions(folder + "/state/siwa") == 0o700)
            #expect(try permissions(folder + "/state") == 0o700)
            try await store.database.close()
        }
    }

    @Test("An existing file and folder keep their permissions")
    func permissionsOfOthers() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/accounts.sqlite"
            try Data().write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            let before = try permissions(folder)
            let store = try await AccountTransactions.open(.sqlite(path))
            #expect(try permissions(path) == 0o640)
            #expect(try permissions(folder) == before)
            try await store.database.close()
        }
    }

    @Test("A file that isn't a database is refused, with the cause")
    func notADatabase() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/notes.txt"
            try Data(repeating: 65, count: 5_000).write(to: URL(fileURLWithPath: path))
            let error = await #expect(throws: AccountError.self) {
                _ = try await AccountTransactions.open(.sqlite(path))
            }
            #expect(error?.code == .unavailable)
            #expect((error?.cause as? SQLiteFailure)?.code == 26)

            let folderError = await #expect(throws: AccountError.self) {
                _ = try await AccountTransactions.open(.sqlite(folder))
            }
            #expect(folderError?.code == .unavailable)
            let impossible = await #expect(throws: AccountError.self) {
                _ = try await AccountTransactions.open(.sqlite(path + "/below/a.file"))
            }
            #expect(impossible?.code == .configuration)
        }
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
