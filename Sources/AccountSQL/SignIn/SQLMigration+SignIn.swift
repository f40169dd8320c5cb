extension SQLMigration {
    /// What a sign-in needs for minutes or days: each table has an index for its sweep, of which ``walkedTables`` takes
    /// one away.
    static let signIn = SQLMigration(name: "sign-in") { word in
        [
            """
            CREATE TABLE attempts (
                state_hash \(word.bytes) NOT NULL PRIMARY KEY CHECK (length(state_hash) = 32),
                browser_hash \(word.bytes) NOT NULL CHECK (length(browser_hash) = 32),
                purpose \(word.text) NOT NULL CHECK (purpose <> ''),
                session_id \(word.id),
                client_id \(word.text) NOT NULL CHECK (client_id <> ''),
                nonce \(word.text) NOT NULL CHECK (nonce <> ''),
                return_path \(word.text) NOT NULL CHECK (return_path <> ''),
                created_at \(word.int64) NOT NULL,
                expires_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            "CREATE INDEX attempts_by_expiry ON attempts (expires_at)",
            """
            CREATE TABLE spent (
                kind \(word.text) NOT NULL CHECK (kind <> ''),
                hash \(word.bytes) NOT NULL CHECK (length(hash) = 32),
                expires_at \(word.int64) NOT NULL,
                PRIMARY KEY (kind, hash)
            )\(word.tableOptions)
            """,
            "CREATE INDEX spent_by_expiry ON spent (expires_at)",
            """
            CREATE TABLE kept_names (
                team \(word.text) NOT NULL CHECK (team <> ''),
                subject \(word.text) NOT NULL CHECK (subject <> ''),
                sealed \(word.bytes) NOT NULL,
                expires_at \(word.int64) NOT NULL,
                PRIMARY KEY (team, subject)
            )\(word.tableOptions)
            """,
            "CREATE INDEX kept_names_by_expiry ON kept_names (expires_at)",
        ]
    }
}
