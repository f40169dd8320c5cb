// The store's members are declared there, and whoever opens a store uses them.
@_exported public import AccountSQL
import AccountService
public import Logging

/// The account store on SQLite. Its ``AccountSQL/SQLAccountStore/database`` is a service, and is what one closes.
public typealias SQLiteAccountStore = SQLAccountStore<SQLiteDatabase>

extension SQLAccountStore where Database == SQLiteDatabase {
    /// Opens the store in a file, makes it if it is not there, and brings its schema up to date.
    ///
    /// Throws what ``SQLiteDatabase/open(path:logger:)`` throws, and `AccountError` with the code `databaseTooNew` for
    /// a file that a newer program has opened.
    public static func open(path: String, logger: Logger = Logger(label: "siwa.sqlite")) async throws -> Self {
        try await opened(SQLiteDatabase.open(path: path, logger: logger))
    }

    /// An empty store that is gone when it is closed.
    public static func inMemory(logger: Logger = Logger(label: "siwa.sqlite")) async throws -> Self {
        try await opened(SQLiteDatabase.inMemory(logger: logger))
    }

    private static func opened(_ database: SQLiteDatabase) async throws -> Self {
        do {
            return try await Self(on: database)
        } catch {
            try await database.close()
            throw error
        }
    }
}
