import AccountDatabase
import AppleID
import AppleIDTypes
import Testing

@testable import AccountService

/// A server of the version before other providers and merges: what it did, statement by statement.
struct EarlierServer: Sendable {
    /// The steps of the schema that it knew.
    static let schema = Array(AccountSchema.migrations.prefix { $0.name != SQLMigration.providers.name })

    private static let attemptColumns: SQLStatement = """
        state_hash, browser_hash, purpose, session_id, client_id, nonce, return_path, created_at, expires_at,
        authorization_id, without_nonce, consent_version, ends_others
        """

    let database: any SQLDatabase

    // MARK: Attempts

    func insert(_ attempt: Attempt) async throws {
        _ = try await database.write { connection in
            try connection.execute(
                """
                INSERT INTO attempts (\(Self.attemptColumns))
                VALUES (?1, ?2, ?3, NULL, ?4, ?5, ?6, ?7, ?8, NULL, ?9, NULL, NULL)
                """,
                [
                    .hash(attempt.stateHash), .hash(attempt.browserHash), .text(attempt.purpose),
                    .text(attempt.clientID), .text(attempt.nonce ?? "none"), .text(attempt.returnPath),
                    .time(attempt.createdAt), .time(attempt.expiresAt), .flag(attempt.nonce == nil),
                ])
        }
    }

    /// Takes an attempt at the only callback that it had.
    func takeAttempt(_ stateHash: TokenHash) async throws -> Attempt? {
        try await database.write { connection in
            try connection.first(
                "DELETE FROM attempts WHERE state_hash = ?1 RETURNING \(Self.attemptColumns)", [.hash(stateHash)]
            ) { columns in
                var attempt = try Attempt(
                    stateHash: columns.hash(), browserHash: columns.hash(), purpose: columns.word(),
                    sessionID: columns.optionalText().map(SessionID.init(rawValue:)), clientID: columns.word(),
                    nonce: columns.text(), returnPath: columns.word(), createdAt: columns.time(),
                    expiresAt: columns.time())
                attempt.authorizationID = try columns.optionalText().map(AuthorizationID.init(rawValue:))
                if try columns.optionalFlag() == true { attempt.nonce = nil }
                return attempt
            }
        }
    }

    // MARK: Accounts

    /// Writes an account with an Apple Account and a session of it.
    func insertAccount(_ account: AccountID, _ identity: IdentityID, _ session: SessionID, at now: Timestamp)
        async throws
    {
        try await database.write { connection in
            try connection.execute(
                "INSERT INTO accounts (id, revision, created_at) VALUES (?1, 1, ?2)", [.id(account), .time(now)])
            try connection.execute(
                """
                INSERT INTO identities (id, account_id, provider, team, subject, email_verified, is_private_email,
                    created_at, last_sign_in_at)
                VALUES (?1, ?2, 'apple', 'TEAM000001', ?3, ?4, ?4, ?5, ?5)
                """, [.id(identity), .id(account), .text("001999.\(identity)"), .flag(false), .time(now)])
            try connection.execute(
                """
                INSERT INTO sessions (id, account_id, identity_id, kind, client_id, secret_hash, generation, created_at,
                    authenticated_at, last_used_at, expires_at)
                VALUES (?1, ?2, ?3, 'tokens', 'com.example.juice', ?4, 0, ?5, ?5, ?5, ?6)
                """,
                [
                    .id(session), .id(account), .id(identity), .hash(TokenHash(of: session.rawValue)), .time(now),
                    .time(now + .days(30)),
                ])
        }
    }

    /// Writes the handle of an identity that a session could not link.
    func insertConflict(
        _ handle: ConflictHandle, of session: SessionID, with identity: IdentityID, at now: Timestamp
    ) async throws {
        _ = try await database.write { connection in
            try connection.execute(
                """
                INSERT INTO conflict_handles (hash, session_id, identity_id, client_id, authorized_at, proven_at, expires_at)
                VALUES (?1, ?2, ?3, 'com.example.juice', ?4, ?4, ?5)
                """,
                [.hash(handle.hash), .id(session), .id(identity), .time(now), .time(now + ConflictHandle.lifetime)])
        }
    }

    /// Exchanges a refresh token.
    /// - Returns: how many sessions have a new one.
    func exchange(_ presented: SessionSecret, at now: Timestamp) async throws -> Int {
        try await database.write { connection in
            try connection.execute(
                """
                UPDATE sessions SET previous_hash = secret_hash, secret_hash = ?3, generation = generation + 1,
                    rotated_at = ?4, last_used_at = ?4
                WHERE id = ?1 AND secret_hash = ?2 AND kind = 'tokens' AND ended_at IS NULL AND expires_at > ?4
                    AND NOT EXISTS (SELECT a.id FROM accounts a
                        WHERE a.id = sessions.account_id AND a.disabled_at IS NOT NULL)
                """,
                [
                    .id(presented.session), .hash(presented.hash), .hash(TokenHash(of: "its successor")), .time(now),
                ])
        }
    }

    /// Deletes an account with everything that it knew of.
    func purge(_ account: AccountID) async throws {
        try await database.write { connection in
            for statement in Self.purge { try connection.execute(statement, [.id(account)]) }
        }
    }

    private static let purge: [SQLStatement] = [
        """
        DELETE FROM kept_names WHERE (team, subject) IN
            (SELECT team, subject FROM identities WHERE account_id = ?1 AND provider = 'apple')
        """,
        "DELETE FROM apple_notifications WHERE account_id = ?1",
        "DELETE FROM not_me_links WHERE account_id = ?1",
        "DELETE FROM mails WHERE account_id = ?1",
        "UPDATE mails_sent SET account_id = NULL WHERE account_id = ?1",
        "DELETE FROM announced WHERE account_id = ?1",
        """
        DELETE FROM conflict_handles WHERE session_id IN (SELECT id FROM sessions WHERE account_id = ?1)
            OR identity_id IN (SELECT id FROM identities WHERE account_id = ?1)
        """,
        "DELETE FROM account_pairs WHERE first_id = ?1 OR second_id = ?1",
        "DELETE FROM sessions WHERE account_id = ?1",
        "DELETE FROM apple_tokens WHERE identity_id IN (SELECT id FROM identities WHERE account_id = ?1)",
        "DELETE FROM email_links WHERE account_id = ?1",
        "DELETE FROM passwords WHERE identity_id IN (SELECT id FROM identities WHERE account_id = ?1)",
        "DELETE FROM identities WHERE account_id = ?1",
        "DELETE FROM consents WHERE account_id = ?1",
        "DELETE FROM contact_changes WHERE account_id = ?1",
        "DELETE FROM accounts WHERE id = ?1",
    ]

    // MARK: Hooks

    /// Writes a notice for a hook that it has.
    func tell(_ hook: String, _ notice: AccountNotice) async throws {
        try await database.write { connection in
            try connection.execute(
                "INSERT INTO hooks (name, seen_at) VALUES (?1, ?2)", [.text(hook), .time(notice.happenedAt)])
            try connection.execute(
                """
                INSERT INTO account_notices (hook, id, kind, account_id, sequence, happened_at, identity_id, reason, state,
                    attempts, waiting_since, next_attempt_at, leased_until)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL, 'waiting', 0, ?6, ?6, 0)
                """,
                [
                    .text(hook), .id(notice.id), .text(notice.kind), .id(notice.accountID), .int64(notice.sequence),
                    .time(notice.happenedAt), .id(orNull: notice.identityID),
                ])
        }
    }

    /// Takes the notices of a hook that are due, and can't deliver them.
    /// - Returns: their kinds.
    func fail(toDeliverTo hook: String, at now: Timestamp) async throws -> [String] {
        try await database.write { connection in
            let taken = try connection.query(
                """
                UPDATE account_notices SET leased_until = ?3, owner = 'earlier', attempts = attempts + 1
                WHERE hook = ?1 AND state = 'waiting' AND leased_until <= ?2 AND next_attempt_at <= ?2
                RETURNING kind
                """, [.text(hook), .time(now), .time(now + .minutes(1))]
            ) { try $0.text() }
            try connection.execute(
                """
                UPDATE account_notices SET failure = 'timed_out', next_attempt_at = ?2, leased_until = 0
                WHERE hook = ?1 AND owner = 'earlier' AND state = 'waiting'
                """, [.text(hook), .time(now)])
            return taken
        }
    }
}
