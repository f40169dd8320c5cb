public import AccountService
import AppleIDTypes

extension SQLAccountStore {
    public func session(_ id: SessionID) async throws -> StoredSession? {
        try await database.lookUp(.session, [.id(id)]) { try SessionRow(&$0).stored }.first
    }

    public func touchSession(_ id: SessionID, usedAt: Timestamp, expiresAt: Timestamp) async throws {
        _ = try await database.write { connection in
            try connection.execute(.touchSession, [.id(id), .time(usedAt), .time(expiresAt)])
        }
    }

    public func endSession(_ id: SessionID, _ ending: SessionEnding) async throws -> Bool {
        try await database.write { connection in
            try !connection.endSession(id, ending).isEmpty
        }
    }
}

extension SQLConnection {
    func insertSession(_ session: Session, secretHash: TokenHash, browserHash: TokenHash?) throws {
        try execute(
            .insertSession,
            [
                .id(session.id), .id(session.accountID), .id(session.identityID), .text(session.kind),
                .text(session.clientID), .hash(secretHash), .time(session.createdAt),
                .time(session.authenticatedAt), .time(session.lastUsedAt), .time(session.expiresAt),
                browserHash.map(SQLValue.hash) ?? .null, .flag(!session.hasNonceProof),
                .text(orNull: session.deviceName?.rawValue), .flag(session.kind == .tokens),
            ])
    }
}

extension SQLStatement {
    fileprivate static let insertSession: Self = """
        INSERT INTO sessions (id, account_id, identity_id, kind, client_id, secret_hash, generation, created_at,
            authenticated_at, last_used_at, expires_at, browser_hash, without_nonce, device_name,
            has_signed_token)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
        """
    /// Two uses may be noted in the wrong order: the later one stays.
    fileprivate static let touchSession: Self = """
        UPDATE sessions SET last_used_at = ?2, expires_at = ?3
        WHERE id = ?1 AND ended_at IS NULL AND expires_at > ?2 AND last_used_at <= ?2
        """
}
