extension SQLMigration {
    /// A deletion holds nothing about its person. `revision` is raised to lock the row before it is decided whether
    /// anything is left to do.
    static let deletion = SQLMigration(name: "deletion") { word in
        [
            """
            CREATE TABLE deletions (
                handle_hash \(word.bytes) NOT NULL PRIMARY KEY CHECK (length(handle_hash) = 32),
                revision \(word.int64) NOT NULL,
                requested_at \(word.int64) NOT NULL,
                finished_at \(word.int64),
                is_withdrawn \(word.flag) NOT NULL,
                asks_apple \(word.flag) NOT NULL
            )\(word.tableOptions)
            """,
            "CREATE INDEX deletions_by_end ON deletions (finished_at) WHERE finished_at IS NOT NULL",
        ]
    }
}
