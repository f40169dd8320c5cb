public import AccountService

/// The account store, written once in SQL for every engine.
///
/// Each method is one transaction of the engine. What decides is uniqueness (`ON CONFLICT`) or the lock
/// that raising an account's revision takes, never a look before a leap: engines may let others write in between. What
/// was read before holds where the revision that is raised is still the one that was read with it.
public struct SQLAccountStore<Database: SQLDatabase>: AccountStore {
    public let database: Database

    /// Brings the database's schema up to date.
    ///
    /// Throws `AccountError` with the code `databaseTooNew` for a database that a newer program has opened.
    public init(on database: Database) async throws {
        try await database.migrate()
        self.database = database
    }

    public func claim(for apple: String) async throws -> String {
        try await database.write { connection in
            try connection.execute(.claim, [.text(apple)])
            guard let owner = try connection.first(.owner, [], decode: { try $0.text() }) else {
                throw AccountError(.unavailable, "The database did not keep whose it is.")
            }
            return owner
        }
    }

    public func check() async throws {
        _ = try await database.read { connection in
            try connection.first(.ping, []) { try $0.int64() }
        }
    }
}

extension SQLStatement {
    fileprivate static let claim: Self = """
        INSERT INTO belongs_to (singleton, apple) VALUES (1, ?1)
        ON CONFLICT (singleton) DO NOTHING
        """
    fileprivate static let owner: Self = "SELECT apple FROM belongs_to WHERE singleton = 1"
    fileprivate static let ping: Self = "SELECT count(*) FROM belongs_to"
}
