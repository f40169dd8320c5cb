public import AccountService

extension SQLAccountStore {
    public func rotateSession(_ rotation: SessionRotation) async throws -> SessionRotation.Outcome {
        try await database.write { connection in
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

    public func noteUse(of session: SessionID, generation: Int64) async throws {
        _ = try await database.write { connection in
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

extension SessionRotation {
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
        _ rotation: SessionRotation, of found: StoredSession
    ) throws -> SessionRotation.Outcome {
        try execute(.raiseForRepeat, [.id(found.session.accountID)])
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
    fileprivate static let raiseForRepeat: Self = "UPDATE accounts SET revision = revision + 1 WHERE id = ?1"
    fileprivate static let lockSession: Self = "UPDATE sessions SET rotated_at = rotated_at WHERE id = ?1"
    fileprivate static let noteUse: Self = """
        UPDATE sessions SET used_generation = ?2 WHERE id = ?1 AND used_generation < ?2
        """
}
