import AccountDatabase
import AppleIDTypes

/// A session's row, joined with its account and with the identity that opened it.
struct SessionRow {
    var stored: StoredSession

    /// - Parameter columns: those of ``SQLStatement/storedSessionColumns``.
    init(_ columns: inout SQLColumns) throws {
        let session = try Session(&columns)
        let secretHash = try columns.hash()
        let generation = try columns.int64()
        let usedGeneration = try columns.int64()
        let endedAt = try columns.optionalTime()
        let endReason = try columns.optionalText().map(SessionEndReason.init(rawValue:))
        let disabledAt = try columns.optionalTime()
        let createdAt = try columns.time()
        let name = try columns.name()
        let contact = try ContactFacts(&columns)
        let facts = try IdentityFacts(&columns)
        let account = try Account(
            id: session.accountID, name: name, email: facts.email, emailVerified: facts.isVerified,
            isPrivateEmail: facts.isPrivate, createdAt: createdAt, isByApple: facts.isApple,
            appleAccess: facts.access, appleToken: columns.word(), contact: contact)
        var ended: StoredSession.End?
        if let endedAt, let endReason {
            ended = StoredSession.End(at: endedAt, reason: endReason)
        } else if let disabledAt {
            ended = StoredSession.End(at: disabledAt, reason: .accountDisabled)
        }
        stored = StoredSession(
            session: session, account: account, secretHash: secretHash, generation: generation,
            usedGeneration: usedGeneration, ended: ended)
    }
}

extension Session {
    /// - Parameter columns: those of ``SQLStatement/sessionColumns``.
    init(_ columns: inout SQLColumns) throws {
        try self.init(
            id: columns.word(), accountID: columns.word(), identityID: columns.word(), kind: columns.word(),
            clientID: columns.word(), createdAt: columns.time(), authenticatedAt: columns.time(),
            lastUsedAt: columns.time(), expiresAt: columns.time(),
            // Null in what was written before there were such sessions.
            hasNonceProof: columns.optionalFlag() != true,
            deviceName: columns.optionalText().map(DeviceName.init(rawValue:)))
    }
}

extension SQLConnection {
    func sessionRow(_ id: SessionID) throws -> SessionRow? {
        try first(.session, [.id(id)]) { try SessionRow(&$0) }
    }
}

/// A session as a store keeps it, with the account it opens.
public struct StoredSession: Hashable, Sendable {
    /// The session itself.
    public var session: Session
    /// The account that the session is signed in to.
    public var account: Account
    /// Hash of the cookie's secret, or of the refresh token that is current.
    package var secretHash: TokenHash
    /// How often the refresh token has been exchanged.
    package var generation: Int64
    /// The last generation of which a token has been used here; zero as long as there is none.
    package var usedGeneration: Int64
    /// When and why the session ended; nil while it lives.
    public var ended: End?

    /// The end of a session.
    public struct End: Hashable, Sendable {
        /// When the session ended.
        public var at: Timestamp
        /// Why the session ended.
        public var reason: SessionEndReason

        package init(at: Timestamp, reason: SessionEndReason) {
            self.at = at
            self.reason = reason
        }
    }

    package init(
        session: Session, account: Account, secretHash: TokenHash, generation: Int64, usedGeneration: Int64 = 0,
        ended: End?
    ) {
        self.session = session
        self.account = account
        self.secretHash = secretHash
        self.generation = generation
        self.usedGeneration = usedGeneration
        self.ended = ended
    }
}

extension SQLStatement {
    /// The columns of a session, with the table of sessions named `s`.
    static let sessionColumns: Self = """
        s.id, s.account_id, s.identity_id, s.kind, s.client_id, s.created_at, s.authenticated_at, s.last_used_at,
        s.expires_at, s.without_nonce, s.device_name
        """
    /// The columns of ``storedSessions`` that a ``SessionRow`` reads, in its order.
    static let storedSessionColumns: Self = """
        \(sessionColumns), s.secret_hash, s.generation, s.used_generation, s.ended_at, s.end_reason, a.disabled_at,
        a.created_at, \(nameColumns), \(contactColumns), \(identityFacts), \(appleTokenStatus)
        """
    static let storedSessions: Self = """
        sessions s JOIN accounts a ON a.id = s.account_id JOIN identities i ON i.id = s.identity_id
        """
    static let session: Self = "SELECT \(storedSessionColumns) FROM \(storedSessions) WHERE s.id = ?1"
}

extension AccountTransactions {
    /// Returns a session with its account, also an ended or expired session; nil when there is none. The session of a
    /// disabled account counts as ended (``SessionEndReason/accountDisabled``). So it does in ``rotateSession(_:)`` and
    /// ``accountNews(of:after:at:limit:)``.
    package func session(_ id: SessionID) async throws -> StoredSession? {
        try await lookUp(.session, [.id(id)]) { try SessionRow(&$0).stored }.first
    }

    /// Notes that a live session was used, and until when it now lives.
    package func touchSession(_ id: SessionID, usedAt: Timestamp, expiresAt: Timestamp) async throws {
        _ = try await write { connection in
            try connection.execute(.touchSession, [.id(id), .time(usedAt), .time(expiresAt)])
        }
    }

    /// Ends a session that has not ended, and appends that to the audit and to the account's events, as every end of
    /// a session before its time is.
    /// - Returns: whether it was this call that ended it.
    package func endSession(_ id: SessionID, _ ending: SessionEnding) async throws -> Bool {
        try await write { connection in
            try !connection.endSession(id, ending).isEmpty
        }
    }
}

extension SQLConnection {
    /// Locks the account of a session, and then reads the session, which must be live. So what a transaction decides about
    /// the session stays true until it commits.
    ///
    /// Throws `AccountError` with the code `sessionEnded`, or `accountMerged` if the session's account was merged.
    func lockedSession(_ id: SessionID, at: Timestamp) throws -> StoredSession {
        try execute(.lockAccountOfSession, [.id(id)])
        return try liveSession(id, at: at)
    }

    /// A live session, for a transaction that has locked its account or decides nothing about it.
    ///
    /// Throws as ``lockedSession(_:at:)`` does.
    func liveSession(_ id: SessionID, at: Timestamp) throws -> StoredSession {
        let found = try sessionRow(id)?.stored
        if let found, found.ended?.reason == .merged { throw AccountError(mergedInto: found.account.id) }
        guard let stored = found, stored.ended == nil, at < stored.session.expiresAt else {
            throw AccountError(.sessionEnded, "The session has ended.")
        }
        return stored
    }

    func insertSession(_ session: Session, secretHash: TokenHash, browserHash: TokenHash?) throws {
        try executeLater(
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

extension AccountTransactions {
    /// The live sessions of an account, newest first: at most `limit` that are older than `before`.
    /// - Parameter before: nil begins with the newest.
    package func sessions(
        of account: AccountID, liveAt moment: Timestamp, before: SessionID?, limit: Int
    ) async throws -> [Session] {
        // Sorts after every session's id.
        let before = before ?? SessionID(rawValue: SessionID.prefix + "~")
        return try await read { connection in
            try connection.query(
                .liveSessionsOfAccount,
                [.id(account), .time(moment), .id(before), .int64(Int64(max(0, limit)))]
            ) { try Session(&$0) }
        }
    }

    /// Ends a live session of this account, and appends that to the audit.
    /// - Returns: false if the account has no live session of this id. Nothing is written then.
    package func endSession(
        _ id: SessionID, of account: AccountID, _ ending: SessionEnding
    ) async throws -> Bool {
        try await write { connection in
            // First, because it is the account's lock, and sign-ins take it before they end sessions.
            try connection.lock(account: account)
            return try !connection.endSessions(.endSessionOfAccount, .id(id), ending, [.id(account)]).isEmpty
        }
    }

    /// Ends at most `limit` live sessions of an account, and appends each end to the audit.
    /// - Returns: how many it ended.
    package func endSessions(
        of account: AccountID, except: SessionID?, _ ending: SessionEnding, limit: Int
    ) async throws -> Int {
        try await write { connection in
            try connection.endSessions(of: account, except: except, ending, limit: limit)
        }
    }
}

extension SQLStatement {
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

/// A session that a transaction has ended.
struct EndedSession {
    var session: SessionID
    var account: AccountID
}

extension SQLConnection {
    /// Ends sessions before their time. Every end of a session goes through here. Each end is appended to the audit, and is
    /// an event of its account, written before anybody can see the session as ended.
    ///
    /// For a transaction that has raised the revision of every account concerned. That locks the account, and sign-ins do it
    /// before they end sessions.
    /// - Parameters:
    ///   - statement: has the parameters key, time and reason, then `more`, and returns id and account.
    ///   - tellsOfEach: false where the caller writes one event that stands for all of them.
    ///   - actingAccount: the account of whoever acts, if sessions of other accounts may end too. The audit of another account
    ///     does not say from where they act, because the purge of their own account would not find it there.
    @discardableResult
    func endSessions(
        _ statement: SQLStatement, _ key: SQLValue, _ ending: SessionEnding, _ more: [SQLValue] = [],
        tellsOfEach: Bool = true, by actingAccount: AccountID? = nil
    ) throws -> [EndedSession] {
        let ended = try query(statement, [key, .time(ending.at), .text(ending.reason)] + more) { columns in
            try EndedSession(session: columns.word(), account: columns.word())
        }
        for end in ended {
            let actor = actingAccount == nil || actingAccount == end.account ? ending.actor : .service()
            try append(
                AuditEntry(
                    .sessionEnded, at: ending.at, by: actor, account: end.account,
                    subject: end.session.rawValue, detail: ending.reason.rawValue))
        }
        guard tellsOfEach else { return ended }
        let byAccount = Dictionary(grouping: ended, by: \.account)
        for (account, ends) in byAccount.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            try appendEvents(
                .sessionEnded, of: account, at: ending.at, about: ends.map(\.session.rawValue),
                reason: ending.reason.rawValue)
        }
        return ended
    }

    /// Ends one session, whosever it is.
    func endSession(
        _ id: SessionID, _ ending: SessionEnding, by actingAccount: AccountID? = nil
    ) throws -> [EndedSession] {
        try raiseRevisions(.accountOfSession, .id(id))
        return try endSessions(.endSession, .id(id), ending, by: actingAccount)
    }

    /// Ends the sessions whose place a new session takes: the browser's former session, and those that its other tabs have
    /// opened. They may be sessions of other accounts.
    /// - Parameter actingAccount: the account of the new session.
    /// - Returns: the accounts whose sessions ended, for ``EventBell``.
    @discardableResult
    func endReplacedSessions(
        _ former: SessionID?, ofBrowser browser: TokenHash?, _ ending: SessionEnding,
        by actingAccount: AccountID
    ) throws -> Set<AccountID> {
        var ended: [EndedSession] = []
        if let former { ended += try endSession(former, ending, by: actingAccount) }
        if let browser {
            try raiseRevisions(.accountsOfBrowser, .hash(browser))
            ended += try endSessions(.endSessionsOfBrowser, .hash(browser), ending, by: actingAccount)
        }
        return Set(ended.map(\.account))
    }

    /// Ends the live sessions of an account, or some of them.
    /// - Parameters:
    ///   - limit: nil for all in this transaction.
    ///   - tellsOfEach: false if an event of the account tells of all of them.
    /// - Returns: how many ended.
    @discardableResult
    func endSessions(
        of account: AccountID, except: SessionID? = nil, _ ending: SessionEnding, limit: Int? = nil,
        tellsOfEach: Bool = true
    ) throws -> Int {
        try lock(account: account)
        try removeConflicts(opening: account)
        return try endSessions(
            .endSessionsOfAccount, .id(account), ending,
            [.text(except?.rawValue ?? ""), .int64(limit.map { Int64(max(0, $0)) } ?? .max)],
            tellsOfEach: tellsOfEach
        ).count
    }

    /// Always in the same order, so that two transactions do not wait for each other.
    private func raiseRevisions(_ accounts: SQLStatement, _ key: SQLValue) throws {
        for account in try query(accounts, [key], decode: { try $0.word(AccountID.self) }) {
            try lock(account: account)
        }
    }
}

extension SQLStatement {
    fileprivate static let lockAccountOfSession: Self = """
        UPDATE accounts SET revision = revision + 1 WHERE id IN (SELECT account_id FROM sessions WHERE id = ?1)
        """
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
