import AccountPostgres
package import AccountSQL
import AccountSQLite
package import AccountService
import AccountTesting
package import Foundation
import Logging
import Testing

/// What keeps the accounts: a test that touches the store takes each in turn.
package enum Engine: String, CaseIterable, Sendable {
    case sqlite
    #if PostgreSQL
        case postgres
    #endif

    /// Of the test that runs, where a suite has the trait ``Testing/Trait/eachEngine``.
    @TaskLocal package static var current = Engine.sqlite

    /// An empty store, which closes with the last who holds it.
    package func store() async throws -> any AccountStore {
        try await open().store
    }

    /// An empty database, which closes with the last who holds it.
    package func database() async throws -> any SQLDatabase {
        switch self {
        case .sqlite: try await SQLiteDatabase.inMemory(logger: Logger(label: "sqlite"))
        #if PostgreSQL
            case .postgres: try await HeldDatabase.empty()
        #endif
        }
    }

    /// A store on a copy of a recorded database, brought up to date. It closes with the last who holds it.
    ///
    /// - Parameters:
    ///   - recording: has `accounts.sqlite`, or for PostgreSQL `accounts.sql` as `pg_dump --inserts` writes it, without
    ///     comments, settings and the name of a schema.
    ///   - folder: where a copy of a file goes.
    package func store(recordedIn recording: URL, folder: URL) async throws -> any AccountStore {
        switch self {
        case .sqlite:
            let copy = folder.appending(path: "accounts.sqlite")
            try FileManager.default.copyItem(at: recording.appending(path: copy.lastPathComponent), to: copy)
            return try await SQLiteAccountStore.open(path: copy.path)
        #if PostgreSQL
            case .postgres:
                let script = try String(contentsOf: recording.appending(path: "accounts.sql"), encoding: .utf8)
                return try await SQLAccountStore(on: HeldDatabase.filled(by: script))
        #endif
        }
    }

    /// An empty store, and how to close it at once.
    package func open() async throws -> (store: any AccountStore, close: @Sendable () async throws -> Void) {
        switch self {
        case .sqlite:
            let store = try await SQLiteAccountStore.inMemory()
            return (store, { try await store.database.close() })
        #if PostgreSQL
            case .postgres:
                let database = try await HeldDatabase.empty()
                return (try await SQLAccountStore(on: database), { await database.close() })
        #endif
        }
    }
}

#if PostgreSQL
    /// A database that closes with the last who holds it: tests have no end of their own, and connections are few.
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

        /// One that nobody has used. A test takes one at most: it may have to wait until another test is done.
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

        /// One that a script of statements has filled.
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
            let name = "house_\(UInt64.random(in: 1 ... .max))"
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
