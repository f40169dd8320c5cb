extension SQLMigration {
    /// What every sign-in writes has no index by time any more. An older program beside this one sweeps by them still,
    /// and reads the tables for it. In the order in which transactions lock.
    static let walkedTables = SQLMigration(name: "walked tables") { _ in
        [
            "DROP INDEX IF EXISTS spent_by_expiry",
            "DROP INDEX IF EXISTS sessions_by_expiry",
            "DROP INDEX IF EXISTS account_events_by_expiry",
        ]
    }
}
