/// One named step of a schema. Steps are appended and never edited. Each only adds, drops an index on which no answer
/// depends, or repairs rows. So an older program can run beside a newer one until it next starts.
package struct SQLMigration: Sendable {
    package let name: String
    /// Statements that correct rows that an older program wrote. They run after ``statements``, and each takes the time
    /// of the migration as `?1`.
    package let repairs: [SQLStatement]
    package let statements: @Sendable (SQLDialect) -> [SQLStatement]

    package init(
        name: String, repairs: [SQLStatement] = [],
        statements: @escaping @Sendable (SQLDialect) -> [SQLStatement] = { _ in [] }
    ) {
        self.name = name
        self.repairs = repairs
        self.statements = statements
    }
}

extension SQLDatabase {
    /// Brings the schema up to date, in one transaction that only one process runs at a time.
    ///
    /// Throws ``SQLDatabaseError`` with the code `tooNew` for a database that has a step this program does not know;
    /// the database is left as it was.
    /// - Parameters:
    ///   - migrations: the whole history of the schema, in the order in which the steps apply.
    ///   - moment: the time for the statements that repair rows, in microseconds since 1970.
    package func migrate(_ migrations: [SQLMigration], at moment: Int64) async throws {
        let dialect = dialect
        try await writeAlone { connection in
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS migrations (
                    name \(dialect.text) NOT NULL PRIMARY KEY
                )\(dialect.tableOptions)
                """)
            let applied = try connection.appliedMigrations(of: migrations)
            for migration in migrations where !applied.contains(migration.name) {
                for statement in migration.statements(dialect) {
                    try connection.execute(statement)
                }
                for repair in migration.repairs { try connection.execute(repair, [.int64(moment)]) }
                try connection.execute(.noteMigration, [.text(migration.name)])
            }
        }
    }
}

/// The state of a database's schema.
package enum SchemaState: Sendable {
    /// There are no tables of this program.
    case empty
    /// Some steps of the schema have not run yet.
    case older
    case current
}

extension SQLDatabase {
    /// Returns how far the schema is. It changes nothing.
    ///
    /// Throws ``SQLDatabaseError`` with the code `tooNew` for a database that has a step this program does not know.
    package func schemaState(of migrations: [SQLMigration]) async throws -> SchemaState {
        let find = dialect.findMigrations
        return try await read { connection in
            guard try connection.returnsRow(find, []) else { return .empty }
            let applied = try connection.appliedMigrations(of: migrations)
            if applied.isEmpty { return .empty }
            return applied.count == migrations.count ? .current : .older
        }
    }
}

extension SQLConnection {
    fileprivate func appliedMigrations(of migrations: [SQLMigration]) throws -> Set<String> {
        let applied = try Set(query(.appliedMigrations, []) { try $0.text() })
        guard applied.isSubset(of: migrations.map(\.name)) else {
            throw SQLDatabaseError(.tooNew, "The database was last opened by a newer version of this program.")
        }
        return applied
    }
}

extension SQLStatement {
    fileprivate static let appliedMigrations: Self = "SELECT name FROM migrations"
    fileprivate static let noteMigration: Self = "INSERT INTO migrations (name) VALUES (?1)"
}
