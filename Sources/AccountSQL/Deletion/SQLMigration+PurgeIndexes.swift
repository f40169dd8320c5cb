extension SQLMigration {
    /// By which the rows of one account are found where another table's key asks for them, or their purge does.
    static let purgeIndexes = SQLMigration(name: "purge indexes") { _ in
        [
            "CREATE INDEX sessions_of_identity ON sessions (identity_id)",
            """
            CREATE INDEX apple_notifications_of_account ON apple_notifications (account_id)
                WHERE account_id IS NOT NULL
            """,
        ]
    }
}
