extension SQLMigration {
    /// A refresh token is exchanged by moving `secret_hash` to `previous_hash`; browsers' sessions never have one.
    static let sessions = SQLMigration(name: "sessions") { word in
        [
            """
            CREATE TABLE sessions (
                id \(word.id) NOT NULL PRIMARY KEY,
                account_id \(word.id) NOT NULL REFERENCES accounts (id),
                identity_id \(word.id) NOT NULL REFERENCES identities (id),
                kind \(word.text) NOT NULL CHECK (kind IN ('browser', 'tokens')),
                client_id \(word.text) NOT NULL CHECK (client_id <> ''),
                secret_hash \(word.bytes) NOT NULL CHECK (length(secret_hash) = 32),
                browser_hash \(word.bytes) CHECK (length(browser_hash) = 32),
                previous_hash \(word.bytes) CHECK (length(previous_hash) = 32),
                rotated_at \(word.int64),
                generation \(word.int64) NOT NULL CHECK (generation >= 0),
                created_at \(word.int64) NOT NULL,
                authenticated_at \(word.int64) NOT NULL,
                last_used_at \(word.int64) NOT NULL,
                expires_at \(word.int64) NOT NULL,
                ended_at \(word.int64),
                end_reason \(word.text) CHECK (end_reason <> ''),
                CHECK ((previous_hash IS NULL) = (rotated_at IS NULL)),
                CHECK ((ended_at IS NULL) = (end_reason IS NULL))
            )\(word.tableOptions)
            """,
            "CREATE INDEX sessions_of_account ON sessions (account_id)",
            """
            CREATE INDEX sessions_of_browser ON sessions (browser_hash)
                WHERE browser_hash IS NOT NULL AND ended_at IS NULL
            """,
            "CREATE INDEX sessions_by_expiry ON sessions (expires_at)",
            "CREATE INDEX sessions_by_end ON sessions (ended_at) WHERE ended_at IS NOT NULL",
        ]
    }

    /// Whether a session has ever had a signed refresh token. Null in what older programs write; when they exchange a
    /// token, they leave it as it is.
    static let signedTokens = SQLMigration(name: "signed refresh tokens") { word in
        ["ALTER TABLE sessions ADD COLUMN has_signed_token \(word.flag)"]
    }

    /// The columns that decide a late repeat of a refresh. An older program exchanges tokens without touching either: the hash
    /// is of a token that is then nobody's parent.
    static let refreshAttempts = SQLMigration(name: "refresh attempts") { word in
        [
            "ALTER TABLE sessions ADD COLUMN attempt_hash \(word.bytes) CHECK (length(attempt_hash) = 32)",
            "ALTER TABLE sessions ADD COLUMN used_generation \(word.int64) NOT NULL DEFAULT 0",
        ]
    }
}
