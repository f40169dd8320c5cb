public import AccountService
import AppleIDTypes

extension SQLAccountStore {
    public func session(_ id: SessionID) async throws -> StoredSession? {
        try await database.read { connection in
            try connection.sessionRow(id)?.stored
        }
    }

    public func touchSession(_ id: SessionID, usedAt: Timestamp, expiresAt: Timestamp) async throws {
        _ = try await database.write { connection in
            try connection.execute(.touchSession, [.id(id), .time(usedAt), .time(expiresAt)])
        }
    }

    public func endSession(_ id: SessionID, _ ending: SessionEnding) async throws -> Bool {
        try await database.write { connection in
            let account = try connection.first(.raiseRevisionOfSession, [.id(id)]) { try $0.word(AccountID.self) }
            guard try connection.endSession(id, ending) else { return false }
            if let account {
                try connection.appendEvent(
                    .sessionEnded, of: account, at: ending.at, about: id.rawValue, reason: ending.reason.rawValue)
            }
            return true
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
                .text(orNull: session.deviceName?.rawValue),
            ])
    }

    /// Ends what other tabs of the same browser have opened.
    func endSessions(ofBrowser hash: TokenHash, _ ending: SessionEnding) throws {
        try endSessions(.endSessionsOfBrowser, .hash(hash), ending)
    }

    /// - Returns: whether the session had not ended before.
    @discardableResult
    func endSession(_ id: SessionID, _ ending: SessionEnding) throws -> Bool {
        try endSessions(.endSession, .id(id), ending) > 0
    }

    /// Ends sessions and tells the audit of each: every statement that ends a session is run here.
    /// - Parameters:
    ///   - statement: has the parameters key, time and reason, and returns id and account.
    /// - Returns: how many.
    @discardableResult
    func endSessions(_ statement: SQLStatement, _ key: SQLValue, _ ending: SessionEnding) throws -> Int {
        try endedSessions(statement, key, ending).count
    }

    /// - Parameter more: further parameters of the statement.
    /// - Returns: which.
    func endedSessions(
        _ statement: SQLStatement, _ key: SQLValue, _ ending: SessionEnding, _ more: [SQLValue] = []
    ) throws -> [SessionID] {
        let ended = try query(statement, [key, .time(ending.at), .text(ending.reason)] + more) { columns in
            try (session: columns.word(SessionID.self), account: columns.word(AccountID.self))
        }
        for end in ended {
            try append(
                AuditEntry(
                    .sessionEnded, at: ending.at, by: ending.actor, account: end.account,
                    subject: end.session.rawValue, detail: ending.reason.rawValue))
        }
        return ended.map(\.session)
    }
}

extension SQLStatement {
    fileprivate static let insertSession: Self = """
        INSERT INTO sessions (id, account_id, identity_id, kind, client_id, secret_hash, generation, created_at,
            authenticated_at, last_used_at, expires_at, browser_hash, without_nonce, device_name)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
        """
    fileprivate static let raiseRevisionOfSession: Self = """
        UPDATE accounts SET revision = revision + 1
        WHERE id = (SELECT account_id FROM sessions WHERE id = ?1 AND ended_at IS NULL) RETURNING id
        """
    fileprivate static let endSessionsOfBrowser: Self = """
        UPDATE sessions SET ended_at = ?2, end_reason = ?3 WHERE browser_hash = ?1 AND ended_at IS NULL
        RETURNING id, account_id
        """
    /// Two uses may be noted in the wrong order: the later one stays.
    fileprivate static let touchSession: Self = """
        UPDATE sessions SET last_used_at = ?2, expires_at = ?3
        WHERE id = ?1 AND ended_at IS NULL AND expires_at > ?2 AND last_used_at <= ?2
        """
    fileprivate static let endSession: Self = """
        UPDATE sessions SET ended_at = ?2, end_reason = ?3 WHERE id = ?1 AND ended_at IS NULL
        RETURNING id, account_id
        """
}
