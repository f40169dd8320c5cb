package import AccountDatabase
import AccountPostgres
import AccountSQLite
package import AccountService
package import Foundation
import Logging
import Testing

/// A database engine. A test with the trait `.eachEngine` runs on each.
package enum Engine: String, CaseIterable, Sendable {
    case sqlite
    #if PostgreSQL
        case postgres
    #endif

    /// The engine of the running test, in a suite with the trait ``Testing/Trait/eachEngine``.
    @TaskLocal package static var current = Engine.sqlite

    /// The folder of SQLite's databases, or nil for databases in memory.
    @TaskLocal static var folder: URL?

    /// An empty store. It closes when the last reference to it is gone.
    package func store() async throws -> AccountTransactions {
        try await open().store
    }

    /// An empty database. It closes when the last reference to it is gone.
    package func database() async throws -> any SQLDatabase {
        switch self {
        case .sqlite: try await Self.emptySQLite()
        #if PostgreSQL
            case .postgres: try await HeldDatabase.empty()
        #endif
        }
    }

    /// A store on a copy of a recorded database, migrated. It closes when the last reference to it is gone.
    ///
    /// - Parameters:
    ///   - recording: has `accounts.sqlite`, or for PostgreSQL `accounts.sql` as `pg_dump --inserts` writes it, without
    ///     comments, settings and the name of a schema.
    ///   - folder: where a copy of a file goes.
    package func store(recordedIn recording: URL, folder: URL) async throws -> AccountTransactions {
        switch self {
        case .sqlite:
            let copy = folder.appending(path: "accounts.sqlite")
            try FileManager.default.copyItem(at: recording.appending(path: copy.lastPathComponent), to: copy)
            return try await AccountTransactions.open(.sqlite(copy.path))
        #if PostgreSQL
            case .postgres:
                let script = try String(contentsOf: recording.appending(path: "accounts.sql"), encoding: .utf8)
                return try await AccountTransactions(on: HeldDatabase.filled(by: script))
        #endif
        }
    }

    /// An empty store, and how to close it at once.
    package func open() async throws -> (store: AccountTransactions, close: @Sendable () async throws -> Void) {
        switch self {
        case .sqlite:
            let database = try await Self.emptySQLite()
            return (try await AccountTransactions(on: database), { try await database.close() })
        #if PostgreSQL
            case .postgres:
                let database = try await HeldDatabase.empty()
                return (try await AccountTransactions(on: database), { await database.close() })
        #endif
        }
    }

    private static func emptySQLite() async throws -> SQLiteDatabase {
        let logger = Logger(label: "sqlite")
        guard let folder else { return try await SQLiteDatabase.inMemory(logger: logger) }
        let file = folder.appending(path: "accounts-\(UUID().uuidString).sqlite")
        return try await SQLiteDatabase.open(path: file.path, logger: logger)
    }
}

#if PostgreSQL
    /// A database that closes when the last reference to it is gone: tests don't close databases, and connections are few.
    private final class HeldDatabase: SQLDatabase {
        private static let turns = Turns(24)

        private let database: PostgresDatabase

        private init(_ database: PostgresDatabase) {
            self.database = database
        }

        deinit {
            Task { [database] in
                await database.close()
                await Self.turns.end()
            }
        }

        /// An empty database. A test takes one at most, because it may have to wait until another test is done.
        static func empty() async throws -> HeldDatabase {
            try await turns.begin()
            do {
                return HeldDatabase(
                    try PostgresDatabase(
                        address: await emptySchema(), connections: 3, logger: Logger(label: "postgres")))
            } catch {
                await turns.end()
                throw error
            }
        }

        /// A database that a script of statements has filled.
        static func filled(by script: String) async throws -> HeldDatabase {
            let held = try await empty()
            try await held.write { connection in
                // Statements are made of literals alone, so the script goes another way.
                _ = try connection.query("SELECT set_config('siwa.script', ?1, true)", [.text(script)]) { _ in () }
                try connection.execute("DO 'BEGIN EXECUTE current_setting(''siwa.script''); END'")
            }
            return held
        }

        func close() async { await database.close() }

        var dialect: SQLDialect { database.dialect }

        func read<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            try await database.read(body)
        }

        func lookUp<Value: Sendable>(
            _ statement: SQLStatement, _ values: [SQLValue],
            decode: @escaping @Sendable (inout SQLColumns) throws -> Value
        ) async throws -> [Value] {
            try await database.lookUp(statement, values, decode: decode)
        }

        func write<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            try await database.write(body)
        }

        func writeAlone<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            try await database.writeAlone(body)
        }

        /// The address of a schema of its own, which is as good as a database of its own and made sooner. The server
        /// that `Tests/with-postgres` has started goes with all that it holds.
        private static func emptySchema() async throws -> String {
            let server = try #require(
                ProcessInfo.processInfo.environment["SIWA_POSTGRES"],
                "these tests need a server; `make unit` starts one, and so does Tests/with-postgres")
            let name = "test_\(UInt64.random(in: 1 ... .max))"
            let database = try PostgresDatabase(address: server, connections: 1, logger: Logger(label: "postgres"))
            do {
                // Statements are made of literals alone, so the name goes another way.
                try await database.write { connection in
                    _ = try connection.query("SELECT set_config('siwa.schema', ?1, true)", [.text(name)]) { _ in () }
                    try connection.execute(
                        "DO 'BEGIN EXECUTE format(''CREATE SCHEMA %I'', current_setting(''siwa.schema'')); END'")
                }
            } catch {
                await database.close()
                throw error
            }
            await database.close()
            return "\(server)?options=-csearch_path%3D\(name)"
        }
    }
#endif
