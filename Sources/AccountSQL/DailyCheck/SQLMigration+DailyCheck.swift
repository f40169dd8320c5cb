extension SQLMigration {
    /// When each of Apple's tokens is to be asked about, who does, and what came of it; and the clients whose check an
    /// operator has to let go on.
    static let dailyCheck = SQLMigration(name: "daily check") { word in
        [
            "ALTER TABLE apple_tokens ADD COLUMN next_check_at \(word.int64)",
            "ALTER TABLE apple_tokens ADD COLUMN check_leased_until \(word.int64)",
            "ALTER TABLE apple_tokens ADD COLUMN last_checked_at \(word.int64)",
            "ALTER TABLE apple_tokens ADD COLUMN found_dead_at \(word.int64)",
            "CREATE INDEX apple_tokens_by_check ON apple_tokens (client_id, next_check_at)",
            "CREATE INDEX apple_tokens_by_last_check ON apple_tokens (client_id, last_checked_at)",
            "CREATE INDEX apple_tokens_by_death ON apple_tokens (found_dead_at) WHERE found_dead_at IS NOT NULL",
            """
            CREATE TABLE stopped_checks (
                client_id \(word.text) NOT NULL PRIMARY KEY CHECK (client_id <> ''),
                stopped_at \(word.int64) NOT NULL,
                checked \(word.int64) NOT NULL,
                died \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
        ]
    }
}
