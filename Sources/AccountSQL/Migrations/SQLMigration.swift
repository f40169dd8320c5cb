import AccountService

import struct Foundation.Date

/// One named step of the schema. Steps are appended and never edited, and each only adds, drops an index, on which no
/// answer depends, or mends rows: an older program can go on beside a newer one until it next starts.
struct SQLMigration: Sendable {
    let name: String
    /// Corrects rows that an older program wrote, after ``statements``. Each takes the time of the migration as `?1`.
    let mends: [SQLStatement]
    let statements: @Sendable (SQLDialect) -> [SQLStatement]

    init(
        name: String, mends: [SQLStatement] = [],
        statements: @escaping @Sendable (SQLDialect) -> [SQLStatement] = { _ in [] }
    ) {
        self.name = name
        self.mends = mends
        self.statements = statements
    }

    /// All of them, in the order in which they apply.
    static let all: [Self] = [
        .belongsTo, .accounts, .sessions, .signIn, .keys, .authorizations, .audit,
        .events, .appleAccess, .appleNotifications, .dailyCheck, .outbox, .sessionNames,
        .keyRotation, .disabledAccounts, .notificationSubjects,
        .deletion, .outboxOrders, .purgeIndexes, .accountNotices, .revocationOrders,
        .walkedTables, .signedTokens, .refreshAttempts, .keyedUserCodes,
        .eventTimes, .identityEmails,
    ]
}

extension SQLDatabase {
    /// Brings the schema up to date, in one transaction that only one process runs at a time.
    ///
    /// Throws `AccountError` with the code `databaseTooNew` for a database that has a step this program does not know;
    /// it is left as it was.
    func migrate(
        _ migrations: [SQLMigration] = SQLMigration.all, at moment: Timestamp = Timestamp(Date())
    ) async throws {
        let dialect = dialect
        try await writeAlone { connection in
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS migrations (
                    name \(dialect.text) NOT NULL PRIMARY KEY
                )\(dialect.tableOptions)
                """)
            let applied = try Set(connection.query(.appliedMigrations, []) { try $0.text() })
            guard applied.isSubset(of: migrations.map(\.name)) else {
                throw AccountError(.databaseTooNew, "The database was last opened by a newer version of this program.")
            }
            for migration in migrations where !applied.contains(migration.name) {
                for statement in migration.statements(dialect) {
                    try connection.execute(statement)
                }
                for mend in migration.mends { try connection.execute(mend, [.time(moment)]) }
                try connection.execute(.noteMigration, [.text(migration.name)])
            }
        }
    }
}

extension SQLStatement {
    fileprivate static let appliedMigrations: Self = "SELECT name FROM migrations"
    fileprivate static let noteMigration: Self = "INSERT INTO migrations (name) VALUES (?1)"
}
