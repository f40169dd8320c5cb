extension SQLMigration {
    /// What every sign-in writes has no index by time any more. An older program beside this one sweeps by them still,
    /// and reads the tables for it.
    static let walkedTables = SQLMigration(name: "walked tables") { _ in
        [
            "DROP INDEX spent_by_expiry",
            "DROP INDEX account_events_by_expiry",
            "DROP INDEX sessions_by_expiry",
        ]
    }
}
