package import AccountDatabase
import AccountSQLite
package import AccountService
package import Foundation
import Logging

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

    /// A database without tables. It closes when the last reference to it is gone.
    package func database() async throws -> any SQLDatabase {
        switch self {
        case .sqlite: try await Self.emptySQLite()
        #if PostgreSQL
            case .postgres: try await HeldDatabase.empty()
        #endif
        }
    }

    /// A database with all tables and no rows. Making it takes less time than migrating ``database()``. When the last
    /// reference to it is gone, it closes, or another test gets it.
    package func migratedDatabase() async throws -> any SQLDatabase {
        switch self {
        case .sqlite: try await Self.copiedSQLite()
        #if PostgreSQL
            case .postgres: try await HeldDatabase.migrated()
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
            let database = try await Self.copiedSQLite()
            return (try await AccountTransactions(on: database), { try await database.close() })
        #if PostgreSQL
            case .postgres:
                let database = try await HeldDatabase.migrated()
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

    /// All tables, in memory. A copy takes 1 ms, and the migrations 30 ms.
    private static let migratedSQLite: Task<SQLiteDatabase, any Error> = Task {
        let database = try await SQLiteDatabase.inMemory(logger: Logger(label: "sqlite"))
        // No row is there that a migration could mend, so the time does not matter.
        try await database.migrate(AccountSchema.migrations, at: 0)
        return database
    }

    private static func copiedSQLite() async throws -> SQLiteDatabase {
        let original = try await migratedSQLite.value
        let database = try await emptySQLite()
        try await database.fill(from: original)
        return database
    }
}
