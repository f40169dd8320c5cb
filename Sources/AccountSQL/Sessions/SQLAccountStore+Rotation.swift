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
                ])
            guard let row = try connection.first(.exchangedSession, [.id(rotation.session)], decode: ExchangeRow.init)
            else { return .gone }
            return rotated > 0 ? .rotated(row.stored) : rotation.outcomeWithoutWriting(row)
        }
    }
}

/// A session's row with what only an exchange of its refresh token needs.
private struct ExchangeRow {
    let stored: StoredSession
    /// The hash before the last exchange of the refresh token, and when that was.
    let previous: (hash: TokenHash, rotatedAt: Timestamp)?
    let hasSignedToken: Bool

    init(_ columns: inout SQLColumns) throws {
        stored = try SessionRow(&columns).stored
        let previousHash = try columns.optionalHash()
        let rotatedAt = try columns.optionalTime()
        if let previousHash, let rotatedAt { previous = (previousHash, rotatedAt) } else { previous = nil }
        // Null in what older programs write.
        hasSignedToken = try columns.optionalFlag() == true
    }
}

extension SessionRotation {
    fileprivate func outcomeWithoutWriting(_ row: ExchangeRow) -> Outcome {
        let stored = row.stored
        guard stored.session.kind == .tokens, stored.ended == nil, stored.session.expiresAt > at else { return .gone }
        guard let previous = row.previous, previous.hash == presented else {
            return .mismatch(stored, hasSignedToken: row.hasSignedToken)
        }
        let isUnused = stored.secretHash == successor || stored.secretHash == formerSuccessor
        return isUnused && at - previous.rotatedAt <= grace ? .repeated(stored) : .reused(stored)
    }
}

extension SQLStatement {
    fileprivate static let rotateSession: Self = """
        UPDATE sessions SET previous_hash = secret_hash, secret_hash = ?3, generation = generation + 1,
            rotated_at = ?4, last_used_at = ?4,
            expires_at = CASE WHEN created_at + ?6 < ?5 THEN created_at + ?6 ELSE ?5 END,
            device_name = coalesce(?7, device_name), has_signed_token = ?8
        WHERE id = ?1 AND secret_hash = ?2 AND kind = 'tokens' AND ended_at IS NULL AND expires_at > ?4
            AND NOT EXISTS (SELECT a.id FROM accounts a WHERE a.id = sessions.account_id AND a.disabled_at IS NOT NULL)
        """
    fileprivate static let exchangedSession: Self = """
        SELECT \(storedSessionColumns), s.previous_hash, s.rotated_at, s.has_signed_token FROM \(storedSessions)
        WHERE s.id = ?1
        """
}
