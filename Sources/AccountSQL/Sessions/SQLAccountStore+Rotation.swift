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
                    .text(orNull: rotation.deviceName?.rawValue),
                ])
            guard let row = try connection.sessionRow(rotation.session) else { return .gone }
            return rotated > 0 ? .rotated(row.stored) : rotation.outcomeWithoutWriting(row)
        }
    }
}

extension SessionRotation {
    fileprivate func outcomeWithoutWriting(_ row: SessionRow) -> Outcome {
        let stored = row.stored
        guard stored.session.kind == .tokens, stored.ended == nil, stored.session.expiresAt > at else { return .gone }
        guard let previous = row.previous, previous.hash == presented, at - previous.rotatedAt <= grace,
            stored.secretHash == successor
        else { return .mismatch(stored) }
        return .repeated(stored)
    }
}

extension SQLStatement {
    fileprivate static let rotateSession: Self = """
        UPDATE sessions SET previous_hash = secret_hash, secret_hash = ?3, generation = generation + 1,
            rotated_at = ?4, last_used_at = ?4,
            expires_at = CASE WHEN created_at + ?6 < ?5 THEN created_at + ?6 ELSE ?5 END,
            device_name = coalesce(?7, device_name)
        WHERE id = ?1 AND secret_hash = ?2 AND kind = 'tokens' AND ended_at IS NULL AND expires_at > ?4
            AND NOT EXISTS (SELECT a.id FROM accounts a WHERE a.id = sessions.account_id AND a.disabled_at IS NOT NULL)
        """
}
