import AccountDatabase

extension SQLMigration {
    /// The name of a session's device: null if it is unknown, and in the rows of older programs.
    static let sessionNames = SQLMigration(name: "session names") { word in
        ["ALTER TABLE sessions ADD COLUMN device_name \(word.text)"]
    }

    /// Null for a key that has not retired.
    static let keyRotation = SQLMigration(name: "key rotation") { word in
        ["ALTER TABLE server_keys ADD COLUMN retired_at \(word.int64)"]
    }

    /// Null for an account that people can sign in to.
    static let disabledAccounts = SQLMigration(name: "disabled accounts") { word in
        ["ALTER TABLE accounts ADD COLUMN disabled_at \(word.int64)"]
    }

    /// For notifications about people who have no identity yet.
    static let notificationSubjects = SQLMigration(name: "notifications by subject") { _ in
        ["CREATE INDEX apple_notifications_by_subject ON apple_notifications (subject, team)"]
    }

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

    /// When the person wanted an entry, where that is not its creation: a code is as old as its token, and a revocation
    /// may be of what such a code has brought. And when an entry was last taken, which is when Apple is asked. The
    /// index finds codes where many revocations are due.
    static let outboxOrders = SQLMigration(name: "outbox orders") { word in
        [
            "ALTER TABLE outbox ADD COLUMN ordered_at \(word.int64)",
            "ALTER TABLE outbox ADD COLUMN asked_at \(word.int64)",
            "CREATE INDEX outbox_codes_due ON outbox (next_attempt_at) WHERE state = 'waiting' AND kind = 'code'",
        ]
    }

    /// The indexes that find the rows of one account where another table's key asks for them, or their purge does.
    static let purgeIndexes = SQLMigration(name: "purge indexes") { _ in
        [
            "CREATE INDEX sessions_of_identity ON sessions (identity_id)",
            """
            CREATE INDEX apple_notifications_of_account ON apple_notifications (account_id)
                WHERE account_id IS NOT NULL
            """,
        ]
    }

    /// A notice outlives the account that it is about, so nothing in it refers to a row elsewhere. It goes when its
    /// hook has taken it. `owner` is who took it last.
    static let accountNotices = SQLMigration(name: "account notices") { word in
        [
            """
            CREATE TABLE hooks (
                name \(word.text) NOT NULL PRIMARY KEY CHECK (name <> ''),
                seen_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            """
            CREATE TABLE account_notices (
                hook \(word.text) NOT NULL CHECK (hook <> ''),
                id \(word.id) NOT NULL,
                kind \(word.text) NOT NULL CHECK (kind <> ''),
                account_id \(word.id) NOT NULL,
                sequence \(word.int64) NOT NULL CHECK (sequence > 0),
                happened_at \(word.int64) NOT NULL,
                identity_id \(word.id),
                reason \(word.text),
                state \(word.text) NOT NULL CHECK (state IN ('waiting', 'parked')),
                attempts \(word.int64) NOT NULL CHECK (attempts >= 0),
                waiting_since \(word.int64) NOT NULL,
                next_attempt_at \(word.int64) NOT NULL,
                leased_until \(word.int64) NOT NULL,
                owner \(word.text) CHECK (owner <> ''),
                failure \(word.text) CHECK (failure <> ''),
                PRIMARY KEY (hook, id)
            )\(word.tableOptions)
            """,
            "CREATE INDEX account_notices_due ON account_notices (hook, next_attempt_at) WHERE state = 'waiting'",
            """
            CREATE INDEX account_notices_of_account ON account_notices (hook, account_id, sequence)
            WHERE state = 'waiting'
            """,
            "CREATE INDEX account_notices_parked ON account_notices (happened_at) WHERE state = 'parked'",
        ]
    }

    /// When the person last wanted Apple's authorization ended, whether there was anything to end it with or not: a
    /// token that comes late is a part of that. Null when they have authorized the app since.
    static let revocationOrders = SQLMigration(name: "revocation orders") { word in
        ["ALTER TABLE identities ADD COLUMN revocation_ordered_at \(word.int64)"]
    }

    /// The tables that every sign-in writes have no index by time any more. An older program beside this one still
    /// sweeps by time, and reads the whole tables for it. The indexes go in the order in which transactions lock.
    static let walkedTables = SQLMigration(name: "walked tables") { _ in
        [
            "DROP INDEX IF EXISTS spent_by_expiry",
            "DROP INDEX IF EXISTS sessions_by_expiry",
            "DROP INDEX IF EXISTS account_events_by_expiry",
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

    /// From when on user codes are stored under a key. Null until a program that does so has opened the database.
    static let keyedUserCodes = SQLMigration(name: "keyed user codes") { word in
        ["ALTER TABLE belongs_to ADD COLUMN user_codes_keyed_from \(word.int64)"]
    }

    /// An older program took the time of an event as Apple wrote it. One in the future kept a person out, or made every
    /// later event outdated, until that time came.
    static let eventTimes = SQLMigration(
        name: "event times",
        repairs: [
            "UPDATE identities SET access_ended_at = ?1 WHERE access_ended_at > ?1",
            "UPDATE identities SET forwarding_changed_at = ?1 WHERE forwarding_changed_at > ?1",
            "UPDATE apple_notifications SET happened_at = received_at WHERE happened_at > ?1",
        ])

    /// An operator finds an account by its exact address without reading all accounts.
    static let identityEmails = SQLMigration(name: "identity emails") { _ in
        ["CREATE INDEX identities_by_email ON identities (email) WHERE email IS NOT NULL"]
    }

    /// The parts of an account that its person can change. `name_typed_at` is null for a name of Apple's. A contact
    /// address waits beside the confirmed one until its link is opened, whose hash is kept.
    ///
    /// A row of `contact_changes` lets the former address take a change back. It names the sessions that asked for the
    /// change and made it, and has no former address once the consent to it is withdrawn. An older program beside this
    /// one deletes accounts without knowing the table, so the rows go with their account.
    static let profiles = SQLMigration(name: "profiles") { word in
        [
            "ALTER TABLE accounts ADD COLUMN name_typed_at \(word.int64)",
            "ALTER TABLE accounts ADD COLUMN phone \(word.text)",
            "ALTER TABLE accounts ADD COLUMN contact_email \(word.text)",
            "ALTER TABLE accounts ADD COLUMN contact_email_verified_at \(word.int64)",
            "ALTER TABLE accounts ADD COLUMN pending_contact_email \(word.text)",
            "ALTER TABLE accounts ADD COLUMN pending_contact_hash \(word.bytes) CHECK (length(pending_contact_hash) = 32)",
            "ALTER TABLE accounts ADD COLUMN pending_contact_asked_at \(word.int64)",
            "ALTER TABLE accounts ADD COLUMN pending_contact_expires_at \(word.int64)",
            "ALTER TABLE accounts ADD COLUMN pending_contact_session_id \(word.id)",
            "CREATE INDEX accounts_by_contact ON accounts (contact_email) WHERE contact_email IS NOT NULL",
            """
            CREATE UNIQUE INDEX accounts_by_pending_contact ON accounts (pending_contact_hash)
                WHERE pending_contact_hash IS NOT NULL
            """,
            """
            CREATE INDEX accounts_by_pending_expiry ON accounts (pending_contact_expires_at)
                WHERE pending_contact_expires_at IS NOT NULL
            """,
            """
            CREATE TABLE contact_changes (
                hash \(word.bytes) NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
                account_id \(word.id) NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                former_email \(word.text) CHECK (former_email <> ''),
                former_verified_at \(word.int64),
                asked_at \(word.int64) NOT NULL,
                changed_at \(word.int64) NOT NULL,
                expires_at \(word.int64) NOT NULL,
                asked_session_id \(word.id) NOT NULL,
                changed_session_id \(word.id) NOT NULL,
                CHECK ((former_email IS NULL) = (former_verified_at IS NULL))
            )\(word.tableOptions)
            """,
            "CREATE INDEX contact_changes_of_account ON contact_changes (account_id)",
            "CREATE INDEX contact_changes_by_expiry ON contact_changes (expires_at)",
        ]
    }

    /// A consent that was withdrawn stays until its account is deleted. As with `contact_changes`, an older program may
    /// delete the account.
    static let consents = SQLMigration(name: "consents") { word in
        [
            """
            CREATE TABLE consents (
                id \(word.id) NOT NULL PRIMARY KEY,
                account_id \(word.id) NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                purpose \(word.text) NOT NULL CHECK (purpose <> ''),
                text_version \(word.text) NOT NULL CHECK (text_version <> ''),
                given_at \(word.int64) NOT NULL,
                session_id \(word.id) NOT NULL,
                client_id \(word.text) NOT NULL CHECK (client_id <> ''),
                address \(word.text),
                device \(word.text),
                withdrawn_at \(word.int64)
            )\(word.tableOptions)
            """,
            "CREATE INDEX consents_of_account ON consents (account_id, id)",
        ]
    }

    /// A mail outlives the account that it is about, so nothing in it refers to a row elsewhere. It goes when it is
    /// delivered, and a note of it stays for a day, for the limits. `owner` is who took it last. A mail with a
    /// `deletion_hash` waits for the end of that deletion.
    static let mails = SQLMigration(name: "mails") { word in
        [
            """
            CREATE TABLE mails (
                id \(word.id) NOT NULL PRIMARY KEY,
                kind \(word.text) NOT NULL CHECK (kind <> ''),
                account_id \(word.id),
                recipient_hash \(word.bytes) NOT NULL CHECK (length(recipient_hash) = 32),
                is_relay \(word.flag) NOT NULL,
                sealed \(word.bytes) NOT NULL,
                deletion_hash \(word.bytes) CHECK (length(deletion_hash) = 32),
                state \(word.text) NOT NULL CHECK (state IN ('waiting', 'held', 'parked')),
                priority \(word.int64) NOT NULL CHECK (priority IN (0, 1)),
                left_out \(word.int64) NOT NULL CHECK (left_out >= 0),
                attempts \(word.int64) NOT NULL CHECK (attempts >= 0),
                created_at \(word.int64) NOT NULL,
                waiting_since \(word.int64) NOT NULL,
                next_attempt_at \(word.int64) NOT NULL,
                leased_until \(word.int64) NOT NULL,
                owner \(word.text) CHECK (owner <> ''),
                failure \(word.text) CHECK (failure <> ''),
                expires_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            "CREATE INDEX mails_due ON mails (priority, next_attempt_at, id) WHERE state <> 'parked'",
            "CREATE INDEX mails_of_recipient ON mails (recipient_hash, kind)",
            "CREATE INDEX mails_of_account ON mails (account_id) WHERE account_id IS NOT NULL",
            "CREATE INDEX mails_of_deletion ON mails (deletion_hash) WHERE deletion_hash IS NOT NULL",
            "CREATE INDEX mails_by_expiry ON mails (expires_at)",
            """
            CREATE TABLE mails_sent (
                id \(word.id) NOT NULL PRIMARY KEY,
                kind \(word.text) NOT NULL CHECK (kind <> ''),
                account_id \(word.id),
                recipient_hash \(word.bytes) NOT NULL CHECK (length(recipient_hash) = 32),
                sent_at \(word.int64) NOT NULL,
                expires_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            "CREATE INDEX mails_sent_to_recipient ON mails_sent (recipient_hash, kind)",
            "CREATE INDEX mails_sent_of_account ON mails_sent (account_id) WHERE account_id IS NOT NULL",
            "CREATE INDEX mails_sent_by_expiry ON mails_sent (expires_at)",
            """
            CREATE TABLE not_me_links (
                hash \(word.bytes) NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
                session_id \(word.id) NOT NULL,
                account_id \(word.id) NOT NULL,
                device_name \(word.text) CHECK (device_name <> ''),
                expires_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            "CREATE INDEX not_me_links_of_account ON not_me_links (account_id)",
            "CREATE INDEX not_me_links_by_expiry ON not_me_links (expires_at)",
            """
            CREATE TABLE announced (
                announcement \(word.text) NOT NULL CHECK (announcement <> ''),
                account_id \(word.id) NOT NULL,
                expires_at \(word.int64) NOT NULL,
                PRIMARY KEY (announcement, account_id)
            )\(word.tableOptions)
            """,
            "CREATE INDEX announced_to_account ON announced (account_id)",
            "CREATE INDEX announced_by_expiry ON announced (expires_at)",
        ]
    }

    /// A mail to the relay address of an identity names the identity: Apple's word on forwarding is about one. Mails of
    /// former versions, and of their servers that still run, don't.
    static let mailIdentities = SQLMigration(name: "mail identities") { word in
        [
            "ALTER TABLE mails ADD COLUMN identity_id \(word.id)",
            "CREATE INDEX mails_of_identity ON mails (identity_id) WHERE identity_id IS NOT NULL",
        ]
    }
}
