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
            try connection.endAndTell(.endSessionOfAccount, .id(id), of: account, ending, [.id(account)]) > 0
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

extension SQLConnection {
    /// Ends the live sessions of an account, or some of them.
    /// - Parameter limit: nil for all in this transaction.
    /// - Returns: how many ended.
    @discardableResult
    func endSessions(
        of account: AccountID, except: SessionID? = nil, _ ending: SessionEnding, limit: Int? = nil
    ) throws -> Int {
        try endAndTell(
            .endSessionsOfAccount, .id(account), of: account, ending,
            [.text(except?.rawValue ?? ""), .int64(limit.map { Int64(max(0, $0)) } ?? .max)])
    }
}

extension SQLConnection {
    /// Ends sessions of one account, and tells its clients of each.
    fileprivate func endAndTell(
        _ statement: SQLStatement, _ key: SQLValue, of account: AccountID, _ ending: SessionEnding,
        _ more: [SQLValue]
    ) throws -> Int {
        // First, because it is the account's lock, and sign-ins take it before they end sessions.
        try execute(.raiseForSessions, [.id(account)])
        let ended = try endedSessions(statement, key, ending, more)
        for session in ended {
            try appendEvent(
                .sessionEnded, of: account, at: ending.at, about: session.rawValue, reason: ending.reason.rawValue)
        }
        return ended.count
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
    /// The condition stands outside too: another transaction may end one of them between the two.
    fileprivate static let endSessionsOfAccount: Self = """
        UPDATE sessions SET ended_at = ?2, end_reason = ?3
        WHERE ended_at IS NULL AND id IN
            (SELECT id FROM sessions WHERE account_id = ?1 AND ended_at IS NULL AND expires_at > ?2 AND id <> ?4
            ORDER BY id LIMIT ?5)
        RETURNING id, account_id
        """
}
