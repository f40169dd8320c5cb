import AccountDatabase

extension SQLMigration {
    /// The password of an email identity, the one-time links in mails, and the counts of wrong passwords. An email identity
    /// without a row of `passwords` signs in by links alone.
    ///
    /// `version` rises with each new password, and stays when its hash is computed or sealed anew. A link of an account
    /// names it, so that the links go with the account. `form_hash` stands for the look-up form of the address. An older
    /// program may delete the account, so passwords go with their identity.
    ///
    /// The attempt of an upgrade in a browser notes what its person has chosen before.
    static let passwords = SQLMigration(name: "passwords") { word in
        [
            """
            CREATE TABLE passwords (
                identity_id \(word.id) NOT NULL PRIMARY KEY REFERENCES identities (id) ON DELETE CASCADE,
                sealed \(word.bytes) NOT NULL,
                version \(word.int64) NOT NULL CHECK (version > 0),
                set_at \(word.int64) NOT NULL,
                is_off \(word.flag) NOT NULL
            )\(word.tableOptions)
            """,
            """
            CREATE TABLE email_links (
                id \(word.id) NOT NULL PRIMARY KEY,
                hash \(word.bytes) NOT NULL UNIQUE CHECK (length(hash) = 32),
                purpose \(word.text) NOT NULL CHECK (purpose <> ''),
                account_id \(word.id),
                address \(word.text) NOT NULL CHECK (address <> ''),
                form_hash \(word.bytes) NOT NULL CHECK (length(form_hash) = 32),
                browser_hash \(word.bytes) CHECK (length(browser_hash) = 32),
                return_path \(word.text) CHECK (return_path <> ''),
                sealed \(word.bytes),
                created_at \(word.int64) NOT NULL,
                expires_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            "CREATE INDEX email_links_of_form ON email_links (form_hash)",
            "CREATE INDEX email_links_of_account ON email_links (account_id) WHERE account_id IS NOT NULL",
            "CREATE INDEX email_links_by_expiry ON email_links (expires_at)",
            """
            CREATE TABLE password_failures (
                kind \(word.text) NOT NULL CHECK (kind IN ('account', 'network')),
                hash \(word.bytes) NOT NULL CHECK (length(hash) = 32),
                count \(word.int64) NOT NULL CHECK (count >= 0),
                last_failed_at \(word.int64) NOT NULL,
                blocked_until \(word.int64) NOT NULL,
                expires_at \(word.int64) NOT NULL,
                PRIMARY KEY (kind, hash)
            )\(word.tableOptions)
            """,
            "CREATE INDEX password_failures_by_expiry ON password_failures (expires_at)",
            "ALTER TABLE attempts ADD COLUMN consent_version \(word.text) CHECK (consent_version <> '')",
            "ALTER TABLE attempts ADD COLUMN ends_others \(word.flag)",
        ]
    }
}
