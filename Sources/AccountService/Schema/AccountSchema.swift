package import AccountDatabase

/// The history of the database's schema: its steps, in the order in which they apply.
///
/// This file has the steps up to ``SQLMigration/outbox``. `AccountSchema+Later.swift` has those from
/// ``SQLMigration/sessionNames`` on, and `AccountSchema+WaysIn.swift` those from ``SQLMigration/passwords`` on. A new step goes
/// to the end of the list, and to the end of the last file.
package enum AccountSchema {
    /// Every step, in the order in which they apply.
    package static let migrations: [SQLMigration] = [
        .belongsTo, .accounts, .sessions, .signIn, .keys, .authorizations, .audit,
        .events, .appleAccess, .appleNotifications, .dailyCheck, .outbox,
        .sessionNames, .keyRotation, .disabledAccounts, .notificationSubjects,
        .deletion, .outboxOrders, .purgeIndexes, .accountNotices, .revocationOrders,
        .walkedTables, .signedTokens, .refreshAttempts, .keyedUserCodes,
        .eventTimes, .identityEmails, .profiles, .consents, .mails, .mailIdentities,
        .passwords, .linking, .severalWaysIn, .transfers, .linkConsents, .transferIndexes,
        .linkRequests, .formerLinkConsents, .providers, .merging,
        .imports, .newestSessions,
    ]
}

extension SQLMigration {
    /// The table that names the Apple that the store is for: one row at most.
    static let belongsTo = SQLMigration(name: "belongs to") { word in
        [
            """
            CREATE TABLE belongs_to (
                singleton \(word.int64) NOT NULL PRIMARY KEY CHECK (singleton = 1),
                apple \(word.text) NOT NULL CHECK (apple <> '')
            )\(word.tableOptions)
            """
        ]
    }

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

    /// The tables that a sign-in needs for minutes or days. Each has an index for its sweep; ``walkedTables`` takes one
    /// of them away.
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

    /// One key of a purpose is active and one is next; retired ones may be many.
    static let keys = SQLMigration(name: "keys") { word in
        [
            """
            CREATE TABLE server_keys (
                id \(word.id) NOT NULL PRIMARY KEY,
                purpose \(word.text) NOT NULL CHECK (purpose <> ''),
                state \(word.text) NOT NULL CHECK (state IN ('next', 'active', 'retired')),
                sealed \(word.bytes) NOT NULL,
                created_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            "CREATE UNIQUE INDEX server_keys_in_use ON server_keys (purpose, state) WHERE state <> 'retired'",
            """
            CREATE TABLE apple_key_set (
                singleton \(word.int64) NOT NULL PRIMARY KEY CHECK (singleton = 1),
                json \(word.bytes) NOT NULL,
                fetched_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
        ]
    }

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

    /// No foreign key: the event of an account's deletion is read after the account is gone.
    static let events = SQLMigration(name: "events") { word in
        [
            """
            CREATE TABLE account_events (
                account_id \(word.id) NOT NULL,
                revision \(word.int64) NOT NULL CHECK (revision > 0),
                kind \(word.text) NOT NULL CHECK (kind <> ''),
                at \(word.int64) NOT NULL,
                about \(word.text),
                reason \(word.text),
                expires_at \(word.int64) NOT NULL,
                PRIMARY KEY (account_id, revision)
            )\(word.tableOptions)
            """,
            "CREATE INDEX account_events_by_expiry ON account_events (expires_at)",
        ]
    }

    /// The columns for Apple's word on a person between sign-ins. `own_revoke_at` is when this service last revoked at
    /// Apple. `removed_at` marks the rest of an identity whose Apple Account is gone: its ended sessions still name it.
    static let appleAccess = SQLMigration(name: "apple access") { word in
        [
            "ALTER TABLE identities ADD COLUMN org_id \(word.text)",
            "ALTER TABLE identities ADD COLUMN forwarding_on \(word.flag)",
            "ALTER TABLE identities ADD COLUMN forwarding_changed_at \(word.int64)",
            "ALTER TABLE identities ADD COLUMN last_authorized_at \(word.int64)",
            "ALTER TABLE identities ADD COLUMN access_ended_at \(word.int64)",
            "ALTER TABLE identities ADD COLUMN access_end_reason \(word.text)",
            "ALTER TABLE identities ADD COLUMN own_revoke_at \(word.int64)",
            "ALTER TABLE identities ADD COLUMN removed_at \(word.int64)",
        ]
    }

    /// One row for every notification of Apple's, by its `jti`.
    static let appleNotifications = SQLMigration(name: "apple notifications") { word in
        [
            """
            CREATE TABLE apple_notifications (
                id \(word.text) NOT NULL PRIMARY KEY CHECK (id <> ''),
                type \(word.text) NOT NULL CHECK (type <> ''),
                change \(word.text) NOT NULL CHECK (change <> ''),
                team \(word.text) NOT NULL CHECK (team <> ''),
                audience \(word.text) NOT NULL CHECK (audience <> ''),
                subject \(word.text) NOT NULL CHECK (subject <> ''),
                happened_at \(word.int64) NOT NULL,
                received_at \(word.int64) NOT NULL,
                outcome \(word.text) NOT NULL CHECK (outcome <> ''),
                account_id \(word.id),
                expires_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            "CREATE INDEX apple_notifications_by_receipt ON apple_notifications (received_at)",
            "CREATE INDEX apple_notifications_by_expiry ON apple_notifications (expires_at)",
        ]
    }

    /// When each of Apple's tokens is to be asked about, who does, and what came of it; and the clients whose check an
    /// operator has to let go on.
    static let dailyCheck = SQLMigration(name: "daily check") { word in
        [
            "ALTER TABLE apple_tokens ADD COLUMN next_check_at \(word.int64)",
            "ALTER TABLE apple_tokens ADD COLUMN check_leased_until \(word.int64)",
            "ALTER TABLE apple_tokens ADD COLUMN last_checked_at \(word.int64)",
            "ALTER TABLE apple_tokens ADD COLUMN found_dead_at \(word.int64)",
            "CREATE INDEX apple_tokens_by_check ON apple_tokens (client_id, next_check_at)",
            "CREATE INDEX apple_tokens_by_last_check ON apple_tokens (client_id, last_checked_at)",
            "CREATE INDEX apple_tokens_by_death ON apple_tokens (found_dead_at) WHERE found_dead_at IS NOT NULL",
            """
            CREATE TABLE stopped_checks (
                client_id \(word.text) NOT NULL PRIMARY KEY CHECK (client_id <> ''),
                stopped_at \(word.int64) NOT NULL,
                checked \(word.int64) NOT NULL,
                died \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
        ]
    }

    /// An entry outlives the account that it is about, so nothing in it refers to a row elsewhere. `owner` is who took
    /// it last.
    static let outbox = SQLMigration(name: "outbox") { word in
        [
            """
            CREATE TABLE outbox (
                id \(word.id) NOT NULL PRIMARY KEY,
                kind \(word.text) NOT NULL CHECK (kind <> ''),
                state \(word.text) NOT NULL
                    CHECK (state IN ('waiting', 'parked', 'done', 'withdrawn', 'expired')),
                client_id \(word.text) CHECK (client_id <> ''),
                sealed \(word.bytes),
                person_hash \(word.bytes) CHECK (length(person_hash) = 32),
                identity_id \(word.id),
                deletion_hash \(word.bytes) CHECK (length(deletion_hash) = 32),
                attempts \(word.int64) NOT NULL CHECK (attempts >= 0),
                created_at \(word.int64) NOT NULL,
                waiting_since \(word.int64) NOT NULL,
                next_attempt_at \(word.int64) NOT NULL,
                leased_until \(word.int64) NOT NULL,
                owner \(word.text) CHECK (owner <> ''),
                failure \(word.text) CHECK (failure <> ''),
                finished_at \(word.int64),
                CHECK ((state IN ('waiting', 'parked')) = (finished_at IS NULL)),
                CHECK (finished_at IS NULL OR sealed IS NULL)
            )\(word.tableOptions)
            """,
            "CREATE INDEX outbox_due ON outbox (next_attempt_at) WHERE state = 'waiting'",
            "CREATE INDEX outbox_parked ON outbox (created_at) WHERE state = 'parked'",
            "CREATE INDEX outbox_of_person ON outbox (person_hash) WHERE person_hash IS NOT NULL",
            "CREATE INDEX outbox_of_identity ON outbox (identity_id) WHERE finished_at IS NULL",
            "CREATE INDEX outbox_of_deletion ON outbox (deletion_hash) WHERE deletion_hash IS NOT NULL",
            "CREATE INDEX outbox_by_end ON outbox (finished_at) WHERE finished_at IS NOT NULL",
        ]
    }
}
