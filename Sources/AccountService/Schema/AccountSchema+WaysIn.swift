import AccountDatabase

extension SQLMigration {
    /// The password of an email identity, the one-time links in mails, and the counts of wrong passwords. An email identity
    /// without a row of `passwords` signs in by links alone.
    ///
    /// `version` rises with each new password, also after a removal, and stays when its hash is computed or sealed anew. A
    /// link of an account names it, so that the links go with the account. `form_hash` stands for the look-up form of the
    /// address. An older program may delete the account, so passwords go with their identity.
    ///
    /// The attempt of an upgrade in a browser notes what its person has chosen before.
    ///
    /// `email_form` and `contact_form` are the look-up forms of Apple's address and of the contact address, where the form
    /// is spelled otherwise. An older program leaves them as they are when it changes an address, so a reader compares the
    /// address, too.
    ///
    /// `has_apple` says whether the deleted account had an identity of Apple's. Null, as older programs write, means yes.
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
            "ALTER TABLE identities ADD COLUMN email_form \(word.text) CHECK (email_form <> '')",
            "ALTER TABLE accounts ADD COLUMN contact_form \(word.text) CHECK (contact_form <> '')",
            "CREATE INDEX identities_by_email_form ON identities (email_form) WHERE email_form IS NOT NULL",
            "CREATE INDEX accounts_by_contact_form ON accounts (contact_form) WHERE contact_form IS NOT NULL",
            "ALTER TABLE deletions ADD COLUMN has_apple \(word.flag)",
        ]
    }

    /// The handles that sign in to another account, for a credential that could not be linked because it opens that account.
    /// An older program may delete a session or an account, so handles go with them.
    ///
    /// A link that adds an address to an account names the session that asked for it.
    static let linking = SQLMigration(name: "linking") { word in
        [
            "ALTER TABLE email_links ADD COLUMN session_id \(word.id)",
            """
            CREATE TABLE conflict_handles (
                hash \(word.bytes) NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
                session_id \(word.id) NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
                identity_id \(word.id) NOT NULL REFERENCES identities (id) ON DELETE CASCADE,
                client_id \(word.text) NOT NULL CHECK (client_id <> ''),
                authorized_at \(word.int64) NOT NULL,
                proven_at \(word.int64) NOT NULL,
                expires_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            "CREATE INDEX conflict_handles_of_session ON conflict_handles (session_id)",
            "CREATE INDEX conflict_handles_of_identity ON conflict_handles (identity_id)",
            "CREATE INDEX conflict_handles_by_expiry ON conflict_handles (expires_at)",
        ]
    }

    /// A handle of a browser names the browser. `joined_by_consent` is written no longer: see
    /// ``linkConsents``. `account_pairs` has the accounts whose person was told that both have one address: the smaller
    /// id comes first. A pair may outlive an account that is deleted at that moment, or by an older program. It is two ids.
    static let severalWaysIn = SQLMigration(name: "several ways in") { word in
        [
            "ALTER TABLE conflict_handles ADD COLUMN browser_hash \(word.bytes) CHECK (length(browser_hash) = 32)",
            "ALTER TABLE identities ADD COLUMN joined_by_consent \(word.flag)",
            """
            CREATE TABLE account_pairs (
                first_id \(word.id) NOT NULL,
                second_id \(word.id) NOT NULL,
                told_at \(word.int64) NOT NULL,
                PRIMARY KEY (first_id, second_id),
                CHECK (first_id <> second_id)
            )\(word.tableOptions)
            """,
            "CREATE INDEX account_pairs_by_second ON account_pairs (second_id)",
        ]
    }

    /// The people of an app that moves from one team to another, one row for each person and receiving team.
    ///
    /// `identity_id` is null for a person who came in a file of another store and has no identity here yet.
    /// `account_id` is that person's account at the sending service, so it refers to no row. An older program may
    /// remove the identity with its account, so the row goes with it.
    static let transfers = SQLMigration(name: "transfers") { word in
        [
            """
            CREATE TABLE transfers (
                id \(word.id) NOT NULL PRIMARY KEY,
                source \(word.text) NOT NULL CHECK (source <> ''),
                target \(word.text) NOT NULL CHECK (target <> ''),
                account_id \(word.id) NOT NULL,
                identity_id \(word.id) REFERENCES identities (id) ON DELETE CASCADE,
                is_received \(word.flag) NOT NULL,
                former_subject \(word.text) CHECK (former_subject <> ''),
                transfer_subject \(word.text) CHECK (transfer_subject <> ''),
                state \(word.text) NOT NULL CHECK (state IN ('exported', 'moved', 'failed')),
                failure \(word.text) CHECK (failure <> ''),
                updated_at \(word.int64) NOT NULL,
                moved_at \(word.int64),
                UNIQUE (identity_id, target),
                UNIQUE (target, transfer_subject),
                CHECK (state = 'failed' OR transfer_subject IS NOT NULL),
                CHECK ((state = 'failed') = (failure IS NOT NULL)),
                CHECK ((state = 'moved') = (moved_at IS NOT NULL))
            )\(word.tableOptions)
            """,
            "CREATE INDEX transfers_of_account ON transfers (account_id)",
            "CREATE INDEX transfers_by_state ON transfers (target, state, id)",
        ]
    }

    /// An identity names the consent by which it joined its account, and is null where it needed none.
    static let linkConsents = SQLMigration(name: "consents of links") { word in
        ["ALTER TABLE identities ADD COLUMN link_consent_id \(word.id)"]
    }

    /// The apps that are moving are found by their former team. The rows of people who have no identity here are swept
    /// by age.
    static let transferIndexes = SQLMigration(name: "indexes of transfers") { word in
        [
            "CREATE INDEX transfers_by_source ON transfers (source, state)",
            "CREATE INDEX transfers_by_age ON transfers (updated_at) WHERE identity_id IS NULL",
        ]
    }

    /// The requests of accounts for a link that adds an address, which a limit counts. A row doesn't name the address:
    /// it is the same whether the address has an account or not. An older program may delete an account, so its rows go
    /// with it.
    static let linkRequests = SQLMigration(name: "requests of links") { word in
        [
            """
            CREATE TABLE link_requests (
                id \(word.id) NOT NULL PRIMARY KEY,
                account_id \(word.id) NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                expires_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            "CREATE INDEX link_requests_of_account ON link_requests (account_id, expires_at)",
            "CREATE INDEX link_requests_by_expiry ON link_requests (expires_at)",
        ]
    }

    /// An older program noted that an identity joined by consent, and not by which one. It asked for a consent to
    /// contact data, so the newest of these that holds takes the identity along when it is withdrawn.
    static let formerLinkConsents = SQLMigration(
        name: "consents of former links",
        repairs: [
            """
            UPDATE identities SET link_consent_id = (
                SELECT max(c.id) FROM consents c
                WHERE c.account_id = identities.account_id AND c.purpose = 'contact_email' AND c.withdrawn_at IS NULL
                    AND c.given_at <= ?1)
            WHERE joined_by_consent = TRUE AND link_consent_id IS NULL AND removed_at IS NULL
            """
        ])

    /// The OpenID Providers that people sign in with, each with the issuer that it stands for. An identity's key has
    /// the id and the issuer, so neither may change alone.
    ///
    /// The attempt of a browser that went to such a provider names it, and holds the secrets of the attempt sealed. An
    /// older program leaves both null, as an attempt at Apple has them. The authorization of an app names its provider, too.
    static let providers = SQLMigration(name: "providers") { word in
        [
            """
            CREATE TABLE providers (
                id \(word.text) NOT NULL PRIMARY KEY CHECK (id <> ''),
                issuer \(word.text) NOT NULL UNIQUE CHECK (issuer <> ''),
                first_seen_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            "ALTER TABLE attempts ADD COLUMN provider \(word.text) CHECK (provider <> '')",
            "ALTER TABLE attempts ADD COLUMN sealed_provider \(word.bytes)",
            "ALTER TABLE authorizations ADD COLUMN provider \(word.text) CHECK (provider <> '')",
        ]
    }

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

    /// The people who came from another service, by their id there, and the hashes of those whose account was deleted here.
    ///
    /// Files have people in the order of their ids, so that a million of them go to the end of the table; a hash as the key
    /// would put each on another page. A row of `forgotten_people` keeps a repeated import from bringing a deleted person
    /// back. An older program that deletes the account leaves the row of `imported_people`. `ways` names the identities and
    /// the password that were imported, so that a repeated import adds nothing that the person has removed here.
    static let imports = SQLMigration(name: "imports") { word in
        [
            """
            CREATE TABLE imported_people (
                source \(word.text) NOT NULL CHECK (source <> ''),
                former_id \(word.text) NOT NULL CHECK (former_id <> ''),
                hash \(word.bytes) NOT NULL CHECK (length(hash) = 32),
                account_id \(word.id) NOT NULL,
                ways \(word.text) NOT NULL,
                imported_at \(word.int64) NOT NULL,
                PRIMARY KEY (source, former_id)
            )\(word.tableOptions)
            """,
            "CREATE INDEX imported_people_of_account ON imported_people (account_id)",
            """
            CREATE TABLE forgotten_people (
                source \(word.text) NOT NULL CHECK (source <> ''),
                hash \(word.bytes) NOT NULL CHECK (length(hash) = 32),
                PRIMARY KEY (source, hash)
            )\(word.tableOptions)
            """,
        ]
    }

    /// The index that finds the newest sessions of an account without reading its others. PostgreSQL needs the id as a part
    /// of the key. It takes the place of `sessions_of_account`, which goes first: the other order would take a stronger lock
    /// in the middle, while sign-ins that have read the table wait to write.
    static let newestSessions = SQLMigration(name: "newest sessions") { _ in
        [
            "DROP INDEX IF EXISTS sessions_of_account",
            "CREATE INDEX sessions_newest_of_account ON sessions (account_id, id)",
        ]
    }
}
