extension SQLMigration {
    /// No foreign keys: an entry stays when what it tells of is gone. Its id begins with its time, so the key's own
    /// index serves the sweep.
    static let audit = SQLMigration(name: "audit") { word in
        [
            """
            CREATE TABLE audit (
                id \(word.id) NOT NULL PRIMARY KEY,
                happened_at \(word.int64) NOT NULL,
                event \(word.text) NOT NULL CHECK (event <> ''),
                actor \(word.text) NOT NULL CHECK (actor <> ''),
                account_id \(word.id),
                session_id \(word.id),
                subject \(word.id),
                detail \(word.text),
                address \(word.text),
                device \(word.text)
            )\(word.tableOptions)
            """,
            "CREATE INDEX audit_of_account ON audit (account_id, id)",
        ]
    }
}
