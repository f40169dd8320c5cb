import AccountService

/// One named step of the schema. Steps are appended and never edited, and each only adds, or drops an index, on which no
/// answer depends: an older program can go on beside a newer one until it next starts.
struct SQLMigration: Sendable {
    let name: String
    let statements: @Sendable (SQLDialect) -> [SQLStatement]

    /// All of them, in the order in which they apply.
    static let all: [Self] = [
        .belongsTo, .accounts, .sessions, .signIn, .keys, .authorizations, .audit,
        .events, .appleAccess, .appleNotifications, .dailyCheck, .outbox, .sessionNames,
        .keyRotation, .disabledAccounts, .notificationSubjects,
        .deletion, .outboxOrders, .purgeIndexes, .accountNotices, .revocationOrders,
        .walkedTables, .signedTokens, .refreshAttempts, .keyedUserCodes,
    ]
}

extension SQLDatabase {
    /// Brings the schema up to date, in one transaction that only one process runs at a time.
    ///
    /// Throws `AccountError` with the code `databaseTooNew` for a database that has a step this program does not know;
    /// it is left as it was.
    func migrate(_ migrations: [SQLMigration] = SQLMigration.all) async throws {
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
                try connection.execute(.noteMigration, [.text(migration.name)])
            }
        }
    }
}

extension SQLStatement {
    fileprivate static let appliedMigrations: Self = "SELECT name FROM migrations"
    fileprivate static let noteMigration: Self = "INSERT INTO migrations (name) VALUES (?1)"
}
