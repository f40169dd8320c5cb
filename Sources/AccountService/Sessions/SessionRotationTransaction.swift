import AccountDatabase

/// One exchange of a refresh token for its successor, decided by a store in one transaction.
///
/// In this order, for a live session of kind ``Session/Kind/tokens``:
/// 1. `presented` is the current hash: it becomes the previous one, `successor` the current one, the generation rises
///    by one, and the session is used now and expires after `idleLimit`, but not later than `absoluteLimit` after its
///    creation. → ``Outcome/rotated(_:)``
/// 2. `presented` is the previous hash, the current hash is `successor` or `formerSuccessor`, and either the exchange
///    was no longer than `grace` ago, or it had the same `attemptHash` and no token of the session's generation has
///    been used: the repeat is appended to the audit. → ``Outcome/repeated(_:)``
/// 3. `presented` is the previous hash otherwise: nothing is written. → ``Outcome/reused(_:)``
/// 4. Anything else: nothing is written. → ``Outcome/mismatch(_:hasSignedToken:)``
package struct SessionRotationRecord: Hashable, Sendable {
    /// The store's decision about an exchange.
    package enum Outcome: Hashable, Sendable {
        case rotated(StoredSession)
        case repeated(StoredSession)
        /// The token was exchanged before, too long ago or for another successor than this one.
        case reused(StoredSession)
        /// Neither the current token nor the one before. The caller finds out whether it is an earlier one of the
        /// session's; `hasSignedToken` tells whether the session has ever had a signed one.
        case mismatch(StoredSession, hasSignedToken: Bool)
        /// No such session, or one that has ended or expired, or one that has no refresh token.
        case gone
    }

    package var session: SessionID
    package var presented: TokenHash
    package var successor: TokenHash
    /// The successor that a server of the previous version gives; nil where there is none.
    package var formerSuccessor: TokenHash?
    package var at: Timestamp
    package var grace: Duration
    /// How long an unused session lives from now.
    package var idleLimit: Duration
    /// How long a session lives from its creation, used or not.
    package var absoluteLimit: Duration
    /// Takes the place of the name that the session's device has; nil leaves it.
    package var deviceName: DeviceName?
    /// The hash of the attempt that the client has stored, bound to `presented`; nil where it sent none.
    package var attemptHash: TokenHash?
    /// For the audit of a repeat.
    package var caller = Caller.unknown

    package init(
        session: SessionID, presented: TokenHash, successor: TokenHash, at: Timestamp, grace: Duration,
        idleLimit: Duration, absoluteLimit: Duration
    ) {
        self.session = session
        self.presented = presented
        self.successor = successor
        self.at = at
        self.grace = grace
        self.idleLimit = idleLimit
        self.absoluteLimit = absoluteLimit
    }
}

extension AccountTransactions {
    package func rotateSession(_ rotation: SessionRotationRecord) async throws -> SessionRotationRecord.Outcome {
        try await write { connection in
            // The condition is in the UPDATE, so that of many who present the same token one rotates.
            let rotated = try connection.execute(
                .rotateSession,
                [
                    .id(rotation.session), .hash(rotation.presented), .hash(rotation.successor), .time(rotation.at),
                    .time(rotation.at + rotation.idleLimit),
                    .int64((Timestamp(microseconds: 0) + rotation.absoluteLimit).microseconds),
                    .text(orNull: rotation.deviceName?.rawValue), .flag(true),
                    rotation.attemptHash.map(SQLValue.hash) ?? .null,
                ])
            guard let row = try connection.exchangeRow(rotation.session) else { return .gone }
            if rotated > 0 { return .rotated(row.stored) }
            let outcome = rotation.outcome(of: row)
            guard case .repeated(let stored) = outcome else { return outcome }
            return try connection.repeatExchange(rotation, of: stored)
        }
    }

    /// Notes that a token of this generation of the session's has been used; a lower one changes nothing.
    package func noteUse(of session: SessionID, generation: Int64) async throws {
        _ = try await write { connection in
            try connection.execute(.noteUse, [.id(session), .int64(generation)])
        }
    }
}

/// A session's row with what only an exchange of its refresh token needs.
private struct ExchangeRow {
    let stored: StoredSession
    /// The hash before the last exchange of the refresh token, and when that was.
    let previous: (hash: TokenHash, rotatedAt: Timestamp)?
    /// The hash of the attempt that came with the last exchange that had one.
    let attemptHash: TokenHash?
    let hasSignedToken: Bool

    init(_ columns: inout SQLColumns) throws {
        stored = try SessionRow(&columns).stored
        let previousHash = try columns.optionalHash()
        let rotatedAt = try columns.optionalTime()
        if let previousHash, let rotatedAt { previous = (previousHash, rotatedAt) } else { previous = nil }
        attemptHash = try columns.optionalHash()
        // Null in what older programs write.
        hasSignedToken = try columns.optionalFlag() == true
    }
}

extension SessionRotationRecord {
    /// The outcome for a refresh token that is not the current one.
    fileprivate func outcome(of row: ExchangeRow) -> Outcome {
        let stored = row.stored
        guard stored.session.kind == .tokens, stored.ended == nil, stored.session.expiresAt > at else { return .gone }
        guard let previous = row.previous, previous.hash == presented else {
            return .mismatch(stored, hasSignedToken: row.hasSignedToken)
        }
        guard stored.secretHash == successor || stored.secretHash == formerSuccessor else { return .reused(stored) }
        if at - previous.rotatedAt <= grace { return .repeated(stored) }
        // An absent attempt is never the same as another absent one.
        guard let attemptHash, attemptHash == row.attemptHash, stored.usedGeneration < stored.generation else {
            return .reused(stored)
        }
        return .repeated(stored)
    }
}

extension SQLConnection {
    fileprivate func exchangeRow(_ session: SessionID) throws -> ExchangeRow? {
        try first(.exchangedSession, [.id(session)], decode: ExchangeRow.init)
    }

    /// Gives the successor again, if it may still be given when account and session are locked: a use that is noted at
    /// the same moment comes before or after, and so does the account's deletion, which empties its audit.
    fileprivate func repeatExchange(
        _ rotation: SessionRotationRecord, of found: StoredSession
    ) throws -> SessionRotationRecord.Outcome {
        try lock(account: found.session.accountID)
        try execute(.lockSession, [.id(rotation.session)])
        guard let row = try exchangeRow(rotation.session) else { return .gone }
        let outcome = rotation.outcome(of: row)
        guard case .repeated(let stored) = outcome, let rotatedAt = row.previous?.rotatedAt else { return outcome }
        let isLate = rotation.at - rotatedAt > rotation.grace
        try append(
            AuditEntry(
                .refreshRepeated, at: rotation.at,
                by: .account(through: rotation.session, from: rotation.caller), account: stored.session.accountID,
                subject: rotation.session.rawValue, detail: isLate ? "late" : nil))
        return .repeated(stored)
    }
}

extension SQLStatement {
    fileprivate static let rotateSession: Self = """
        UPDATE sessions SET previous_hash = secret_hash, secret_hash = ?3, generation = generation + 1,
            rotated_at = ?4, last_used_at = ?4,
            expires_at = CASE WHEN created_at + ?6 < ?5 THEN created_at + ?6 ELSE ?5 END,
            device_name = coalesce(?7, device_name), has_signed_token = ?8, attempt_hash = ?9
        WHERE id = ?1 AND secret_hash = ?2 AND kind = 'tokens' AND ended_at IS NULL AND expires_at > ?4
            AND NOT EXISTS (SELECT a.id FROM accounts a WHERE a.id = sessions.account_id AND a.disabled_at IS NOT NULL)
        """
    fileprivate static let exchangedSession: Self = """
        SELECT \(storedSessionColumns), s.previous_hash, s.rotated_at, s.attempt_hash, s.has_signed_token
        FROM \(storedSessions) WHERE s.id = ?1
        """
    fileprivate static let lockSession: Self = "UPDATE sessions SET rotated_at = rotated_at WHERE id = ?1"
    fileprivate static let noteUse: Self = """
        UPDATE sessions SET used_generation = ?2 WHERE id = ?1 AND used_generation < ?2
        """
}
