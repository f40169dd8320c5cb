import AccountService

/// A session that a transaction has ended.
struct EndedSession {
    var session: SessionID
    var account: AccountID
}

extension SQLConnection {
    /// Ends sessions before their time: the one road for every end. Each is appended to the audit, and each is an event
    /// of its account, written before anybody can see the session as ended.
    ///
    /// For a transaction that has raised the revision of every account concerned: that is its lock, and sign-ins take
    /// it before they end sessions.
    /// - Parameters:
    ///   - statement: has the parameters key, time and reason, then `more`, and returns id and account.
    ///   - tellsOfEach: false where the caller writes one event that stands for all of them.
    ///   - person: the account of whoever acts, where others' sessions may end with it. The audit of another account
    ///     does not tell from where they act: nobody would find it there when their own account is purged.
    @discardableResult
    func endSessions(
        _ statement: SQLStatement, _ key: SQLValue, _ ending: SessionEnding, _ more: [SQLValue] = [],
        tellsOfEach: Bool = true, by person: AccountID? = nil
    ) throws -> [EndedSession] {
        let ended = try query(statement, [key, .time(ending.at), .text(ending.reason)] + more) { columns in
            try EndedSession(session: columns.word(), account: columns.word())
        }
        for end in ended {
            let actor = person == nil || person == end.account ? ending.actor : .service()
            try append(
                AuditEntry(
                    .sessionEnded, at: ending.at, by: actor, account: end.account,
                    subject: end.session.rawValue, detail: ending.reason.rawValue))
            guard tellsOfEach else { continue }
            try appendEvent(
                .sessionEnded, of: end.account, at: ending.at, about: end.session.rawValue,
                reason: ending.reason.rawValue)
        }
        return ended
    }

    /// Ends one session, whosever it is.
    func endSession(_ id: SessionID, _ ending: SessionEnding, by person: AccountID? = nil) throws -> [EndedSession] {
        try raiseRevisions(.accountOfSession, .id(id))
        return try endSessions(.endSession, .id(id), ending, by: person)
    }

    /// Ends what a new session takes the place of: the browser's former one, and what its other tabs have opened. They
    /// may be other accounts'.
    /// - Parameter person: the account that the new session is of.
    /// - Returns: whose sessions ended; their clients are to be rung.
    @discardableResult
    func replaceSessions(
        _ former: SessionID?, ofBrowser browser: TokenHash?, _ ending: SessionEnding, by person: AccountID
    ) throws -> Set<AccountID> {
        var ended: [EndedSession] = []
        if let former { ended += try endSession(former, ending, by: person) }
        if let browser {
            try raiseRevisions(.accountsOfBrowser, .hash(browser))
            ended += try endSessions(.endSessionsOfBrowser, .hash(browser), ending, by: person)
        }
        return Set(ended.map(\.account))
    }

    /// Ends the live sessions of an account, or some of them.
    /// - Parameter limit: nil for all in this transaction.
    /// - Returns: how many ended.
    @discardableResult
    func endSessions(
        of account: AccountID, except: SessionID? = nil, _ ending: SessionEnding, limit: Int? = nil
    ) throws -> Int {
        try execute(.raiseForSessions, [.id(account)])
        return try endSessions(
            .endSessionsOfAccount, .id(account), ending,
            [.text(except?.rawValue ?? ""), .int64(limit.map { Int64(max(0, $0)) } ?? .max)]
        ).count
    }

    /// Always in the same order, so that two transactions do not wait for each other.
    private func raiseRevisions(_ accounts: SQLStatement, _ key: SQLValue) throws {
        for account in try query(accounts, [key], decode: { try $0.word(AccountID.self) }) {
            try execute(.raiseForSessions, [.id(account)])
        }
    }
}

extension SQLStatement {
    fileprivate static let raiseForSessions: Self = "UPDATE accounts SET revision = revision + 1 WHERE id = ?1"
    fileprivate static let accountOfSession: Self = """
        SELECT account_id FROM sessions WHERE id = ?1 AND ended_at IS NULL
        """
    fileprivate static let accountsOfBrowser: Self = """
        SELECT DISTINCT account_id FROM sessions WHERE browser_hash = ?1 AND ended_at IS NULL ORDER BY account_id
        """
    fileprivate static let endSession: Self = """
        UPDATE sessions SET ended_at = ?2, end_reason = ?3 WHERE id = ?1 AND ended_at IS NULL
        RETURNING id, account_id
        """
    fileprivate static let endSessionsOfBrowser: Self = """
        UPDATE sessions SET ended_at = ?2, end_reason = ?3 WHERE browser_hash = ?1 AND ended_at IS NULL
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
