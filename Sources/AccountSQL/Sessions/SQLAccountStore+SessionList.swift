public import AccountService

extension SQLAccountStore {
    public func sessions(
        of account: AccountID, liveAt moment: Timestamp, before: SessionID?, limit: Int
    ) async throws -> [Session] {
        // Sorts after every session's id.
        let before = before ?? SessionID(rawValue: SessionID.prefix + "~")
        return try await database.read { connection in
            try connection.query(
                .liveSessionsOfAccount,
                [.id(account), .time(moment), .id(before), .int64(Int64(max(0, limit)))]
            ) { try Session(&$0) }
        }
    }

    public func endSession(
        _ id: SessionID, of account: AccountID, _ ending: SessionEnding
    ) async throws -> Bool {
        try await database.write { connection in
            // First, because it is the account's lock, and sign-ins take it before they end sessions.
            try connection.execute(.raiseForSessions, [.id(account)])
            return try !connection.endSessions(.endSessionOfAccount, .id(id), ending, [.id(account)]).isEmpty
        }
    }

    public func endSessions(
        of account: AccountID, except: SessionID?, _ ending: SessionEnding, limit: Int
    ) async throws -> Int {
        try await database.write { connection in
            try connection.endSessions(of: account, except: except, ending, limit: limit)
        }
    }
}

extension SQLStatement {
    fileprivate static let raiseForSessions: Self = "UPDATE accounts SET revision = revision + 1 WHERE id = ?1"
    fileprivate static let liveSessionsOfAccount: Self = """
        SELECT \(sessionColumns) FROM sessions s
        WHERE s.account_id = ?1 AND s.ended_at IS NULL AND s.expires_at > ?2 AND s.id < ?3
        ORDER BY s.id DESC LIMIT ?4
        """
    fileprivate static let endSessionOfAccount: Self = """
        UPDATE sessions SET ended_at = ?2, end_reason = ?3
        WHERE id = ?1 AND account_id = ?4 AND ended_at IS NULL AND expires_at > ?2
        RETURNING id, account_id
        """
}
