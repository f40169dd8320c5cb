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

    public func userCodesKeyed(from moment: Timestamp) async throws -> Timestamp {
        try await database.write { connection in
            try connection.execute(.noteKeyedUserCodes, [.time(moment)])
            return try connection.first(.keyedUserCodes, [], decode: { try $0.time() }) ?? moment
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
        INSERT INTO belongs_to (singleton, apple, user_codes_keyed_from) VALUES (1, ?1, 0)
        ON CONFLICT (singleton) DO NOTHING
        """
    fileprivate static let noteKeyedUserCodes: Self = """
        UPDATE belongs_to SET user_codes_keyed_from = ?1
        WHERE user_codes_keyed_from IS NULL OR user_codes_keyed_from > ?1
        """
    fileprivate static let keyedUserCodes: Self = "SELECT user_codes_keyed_from FROM belongs_to"
    fileprivate static let owner: Self = "SELECT apple FROM belongs_to WHERE singleton = 1"
    fileprivate static let ping: Self = "SELECT count(*) FROM belongs_to"
}
