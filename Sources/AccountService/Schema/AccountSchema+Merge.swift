import AccountDatabase

extension SQLMigration {
    /// The accounts that were merged into others, whose ids name nothing else. `handle_hash` is of the handle that the merge
    /// used, so that a repeat is known. A row goes with the remaining account.
    static let merging = SQLMigration(name: "merging") { word in
        [
            """
            CREATE TABLE merged_accounts (
                from_id \(word.id) NOT NULL PRIMARY KEY,
                into_id \(word.id) NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                merged_at \(word.int64) NOT NULL,
                handle_hash \(word.bytes) NOT NULL UNIQUE CHECK (length(handle_hash) = 32)
            )\(word.tableOptions)
            """,
            "CREATE INDEX merged_accounts_of_account ON merged_accounts (into_id)",
            "ALTER TABLE account_notices ADD COLUMN merged_into \(word.id)",
        ]
    }
}
