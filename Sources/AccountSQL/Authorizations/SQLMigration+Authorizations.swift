extension SQLMigration {
    /// Authorizations of apps, and the counts of wrong codes. An authorization's row holds it from
    /// its beginning to the use of the code that was handed out; Apple's token leaves it in the sign-in's transaction.
    ///
    /// The columns that older tables get are null in what older programs write. `without_nonce` of an attempt stands
    /// for a null nonce, which the older column does not take.
    static let authorizations = SQLMigration(name: "authorizations") { word in
        [
            """
            CREATE TABLE authorizations (
                id \(word.id) NOT NULL PRIMARY KEY,
                app_id \(word.text) NOT NULL CHECK (app_id <> ''),
                redirect_uri \(word.text) CHECK (redirect_uri <> ''),
                device_code_hash \(word.bytes) UNIQUE CHECK (length(device_code_hash) = 32),
                user_code_hash \(word.bytes) UNIQUE CHECK (length(user_code_hash) = 32),
                poll_interval \(word.int64) CHECK (poll_interval > 0),
                polled_at \(word.int64),
                challenge \(word.bytes) NOT NULL CHECK (length(challenge) = 32),
                client_id \(word.text) NOT NULL CHECK (client_id <> ''),
                scope \(word.text) NOT NULL,
                nonce \(word.text) CHECK (nonce <> ''),
                sealed_state \(word.bytes),
                address \(word.text) NOT NULL,
                network \(word.text) NOT NULL,
                created_at \(word.int64) NOT NULL,
                expires_at \(word.int64) NOT NULL,
                kept_until \(word.int64) NOT NULL,
                allowed_at \(word.int64),
                browser_hash \(word.bytes) CHECK (length(browser_hash) = 32),
                ended_at \(word.int64),
                failure \(word.text) CHECK (failure <> ''),
                sealed_result \(word.bytes),
                token_hash \(word.bytes) CHECK (length(token_hash) = 32),
                token_fresh_until \(word.int64),
                apple_token_id \(word.id),
                apple_token_sealed \(word.bytes),
                apple_token_obtained_at \(word.int64),
                handle_hash \(word.bytes) UNIQUE CHECK (length(handle_hash) = 32),
                handle_expires_at \(word.int64),
                redeemed_at \(word.int64),
                code_hash \(word.bytes) UNIQUE CHECK (length(code_hash) = 32),
                code_expires_at \(word.int64),
                code_used_at \(word.int64),
                CHECK ((redirect_uri IS NULL) = (device_code_hash IS NOT NULL)),
                CHECK ((device_code_hash IS NULL) = (user_code_hash IS NULL)),
                CHECK ((device_code_hash IS NULL) = (poll_interval IS NULL)),
                CHECK ((sealed_result IS NULL) = (token_hash IS NULL)),
                CHECK ((sealed_result IS NULL) = (token_fresh_until IS NULL)),
                CHECK ((ended_at IS NOT NULL) = (failure IS NOT NULL OR sealed_result IS NOT NULL)),
                CHECK (failure IS NULL OR sealed_result IS NULL),
                CHECK ((apple_token_id IS NULL) = (apple_token_sealed IS NULL)),
                CHECK ((apple_token_id IS NULL) = (apple_token_obtained_at IS NULL)),
                CHECK ((handle_hash IS NULL) = (handle_expires_at IS NULL)),
                CHECK ((code_hash IS NULL) = (code_expires_at IS NULL))
            )\(word.tableOptions)
            """,
            "CREATE INDEX authorizations_by_end ON authorizations (kept_until)",
            """
            CREATE INDEX authorizations_of_network ON authorizations (network, expires_at)
                WHERE sealed_result IS NULL
            """,
            """
            CREATE TABLE wrong_codes (
                kind \(word.text) NOT NULL CHECK (kind <> ''),
                network \(word.text) NOT NULL,
                window_start \(word.int64) NOT NULL,
                count \(word.int64) NOT NULL CHECK (count > 0),
                expires_at \(word.int64) NOT NULL,
                PRIMARY KEY (kind, network, window_start)
            )\(word.tableOptions)
            """,
            "CREATE INDEX wrong_codes_by_expiry ON wrong_codes (expires_at)",
            "ALTER TABLE attempts ADD COLUMN authorization_id \(word.id)",
            "ALTER TABLE attempts ADD COLUMN without_nonce \(word.flag)",
            "ALTER TABLE sessions ADD COLUMN without_nonce \(word.flag)",
        ]
    }
}
