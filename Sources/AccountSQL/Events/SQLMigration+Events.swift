extension SQLMigration {
    /// No foreign key: the event of an account's deletion is read after the account is gone.
    static let events = SQLMigration(name: "events") { word in
        [
            """
            CREATE TABLE account_events (
                account_id \(word.id) NOT NULL,
                revision \(word.int64) NOT NULL CHECK (revision > 0),
                kind \(word.text) NOT NULL CHECK (kind <> ''),
                at \(word.int64) NOT NULL,
                about \(word.text),
                reason \(word.text),
                expires_at \(word.int64) NOT NULL,
                PRIMARY KEY (account_id, revision)
            )\(word.tableOptions)
            """,
            "CREATE INDEX account_events_by_expiry ON account_events (expires_at)",
        ]
    }
}
