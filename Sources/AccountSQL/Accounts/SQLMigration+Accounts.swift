extension SQLMigration {
    /// `revision` counts what happened to an account; raising it is how a transaction that decides over several of the
    /// account's rows begins, since that locks the account where several can write at once.
    static let accounts = SQLMigration(name: "accounts") { word in
        [
            """
            CREATE TABLE accounts (
                id \(word.id) NOT NULL PRIMARY KEY,
                revision \(word.int64) NOT NULL CHECK (revision > 0),
                given_name \(word.text),
                family_name \(word.text),
                middle_name \(word.text),
                name_prefix \(word.text),
                name_suffix \(word.text),
                nickname \(word.text),
                created_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            """
            CREATE TABLE identities (
                id \(word.id) NOT NULL PRIMARY KEY,
                account_id \(word.id) NOT NULL REFERENCES accounts (id),
                provider \(word.text) NOT NULL CHECK (provider <> ''),
                team \(word.text) NOT NULL CHECK (team <> ''),
                subject \(word.text) NOT NULL CHECK (subject <> ''),
                email \(word.text),
                email_verified \(word.flag) NOT NULL,
                is_private_email \(word.flag) NOT NULL,
                real_user_status \(word.int64),
                created_at \(word.int64) NOT NULL,
                last_sign_in_at \(word.int64) NOT NULL,
                UNIQUE (provider, team, subject)
            )\(word.tableOptions)
            """,
            "CREATE INDEX identities_of_account ON identities (account_id)",
            """
            CREATE TABLE apple_tokens (
                id \(word.id) NOT NULL PRIMARY KEY,
                identity_id \(word.id) NOT NULL REFERENCES identities (id),
                client_id \(word.text) NOT NULL CHECK (client_id <> ''),
                sealed \(word.bytes) NOT NULL,
                obtained_at \(word.int64) NOT NULL,
                UNIQUE (identity_id, client_id)
            )\(word.tableOptions)
            """,
        ]
    }

    /// An operator finds an account by its exact address without reading all accounts.
    static let identityEmails = SQLMigration(name: "identity emails") { _ in
        ["CREATE INDEX identities_by_email ON identities (email) WHERE email IS NOT NULL"]
    }
}
