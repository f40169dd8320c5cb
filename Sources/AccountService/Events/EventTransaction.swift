import AccountDatabase

extension AccountTransactions {
    /// Returns the events of an account after a revision, oldest first, at most `limit`. The events of an account that
    /// is gone are returned, too, for as long as they are kept.
    package func accountEvents(
        of account: AccountID, after revision: Int64, limit: Int
    ) async throws -> [AccountEvent] {
        try await read { connection in
            try connection.events(
                of: account, after: revision, until: Timestamp(microseconds: .max), limit: limit)
        }
    }

    /// Returns the news for a session after a revision; without a revision, only the revision to go on from.
    /// - Parameter at: the moment by which the session is judged to have expired.
    package func accountNews(
        of session: Session, after revision: Int64?, at: Timestamp, limit: Int
    ) async throws -> AccountNews {
        try await read { connection in
            let end = try connection.first(.endOfSession, [.id(session.id)]) { columns in
                try (
                    expiresAt: columns.time(), endedAt: columns.optionalTime(), disabledAt: columns.optionalTime()
                )
            }
            let now = try connection.first(.accountRevision, [.id(session.accountID)]) { try $0.int64() }
            let isOver = end.map { $0.endedAt != nil || $0.disabledAt != nil || $0.expiresAt <= at } ?? true
            var events: [AccountEvent] = []
            if let revision {
                events = try connection.events(
                    of: session.accountID, after: revision,
                    until: end?.endedAt ?? Timestamp(microseconds: .max), limit: limit)
            }
            return AccountNews(events: events, revision: now ?? revision ?? 0, isOver: isOver)
        }
    }
}

extension SQLConnection {
    /// - Parameter until: the last moment of interest.
    func events(
        of account: AccountID, after revision: Int64, until: Timestamp, limit: Int
    ) throws -> [AccountEvent] {
        try query(
            .accountEvents, [.id(account), .int64(revision), .time(until), .int64(Int64(max(0, limit)))]
        ) { try AccountEvent(&$0) }
    }
}

extension AccountEvent {
    /// - Parameter columns: those of ``SQLStatement/eventColumns``.
    init(_ columns: inout SQLColumns) throws {
        try self.init(
            revision: columns.int64(), kind: columns.word(), at: columns.time(), about: columns.optionalText(),
            reason: columns.optionalText())
    }
}

extension SQLStatement {
    static let eventColumns: Self = "revision, kind, at, about, reason"
    fileprivate static let accountEvents: Self = """
        SELECT \(eventColumns) FROM account_events
        WHERE account_id = ?1 AND revision > ?2 AND at <= ?3 ORDER BY revision LIMIT ?4
        """

    fileprivate static let endOfSession: Self = """
        SELECT s.expires_at, s.ended_at, a.disabled_at
        FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE s.id = ?1
        """
    fileprivate static let accountRevision: Self = "SELECT revision FROM accounts WHERE id = ?1"
}

extension SQLConnection {
    /// Writes what a transaction has done to an account, for its clients, and for hooks where it concerns them.
    ///
    /// A transaction calls it after it has raised the account's revision, which becomes the event's number. For a second
    /// event this function raises the revision once more. Nothing is written if the account's row is gone.
    /// - Parameters:
    ///   - about: the identifier of the session, identity or consent concerned.
    ///   - reason: a code, never anything personal.
    /// - Returns: the event's number, or nil without an account.
    @discardableResult
    func appendEvent(
        _ kind: AccountEvent.Kind, of account: AccountID, at: Timestamp, about: String? = nil, reason: String? = nil
    ) throws -> Int64? {
        let values: [SQLValue] = try [
            .id(account), .text(kind), .time(at), .text(orNull: about), .text(orNull: reason),
            .time(at + AccountEvent.lifetime),
        ]
        var revision = try first(.appendEvent, values) { try $0.int64() }
        if revision == nil, try lock(account: account) {
            revision = try first(.appendEvent, values) { try $0.int64() }
        }
        if let revision, let notice = AccountNotice.Kind(kind) {
            try tellHooks(
                AccountNotice(
                    notice, of: account, sequence: revision, at: at,
                    identityID: notice.isAboutIdentity ? about.map(IdentityID.init(rawValue:)) : nil, reason: reason))
        }
        return revision
    }

    /// Writes an event for each of several sessions or identities, as ``appendEvent(_:of:at:about:reason:)`` does, with the
    /// same few round trips for two and for a hundred. Not for a kind of which hooks are told.
    func appendEvents(
        _ kind: AccountEvent.Kind, of account: AccountID, at: Timestamp, about subjects: [String], reason: String
    ) throws {
        guard let firstSubject = subjects.first else { return }
        try appendEvent(kind, of: account, at: at, about: firstSubject, reason: reason)
        let others = subjects.dropFirst()
        let count = Int64(others.count)
        guard count > 0 else { return }
        let raised = try first(.raiseRevision, [.id(account), .int64(count)]) { try $0.int64() }
        guard let last = raised else { return }
        for (revision, subject) in zip((last - count + 1)..., others) {
            try executeLater(
                .appendNumberedEvent,
                [
                    .id(account), .int64(revision), .text(kind), .time(at), .text(subject), .text(reason),
                    .time(at + AccountEvent.lifetime),
                ])
        }
    }

    /// Writes the first event of a transaction that has raised the account's revision, without waiting for the outcome:
    /// nobody else can have written an event of that number. Not for a kind of which hooks are told.
    /// - Parameters:
    ///   - about: the identifier of the session or identity concerned.
    ///   - revision: the account's, as this transaction has raised it.
    func appendFirstEvent(
        _ kind: AccountEvent.Kind, of account: AccountID, at: Timestamp, about: String, revision: Int64
    ) throws {
        try executeLater(
            .appendNumberedEvent,
            [
                .id(account), .int64(revision), .text(kind), .time(at), .text(about), .null,
                .time(at + AccountEvent.lifetime),
            ])
    }
}

extension SQLStatement {
    fileprivate static let appendEvent: Self = """
        INSERT INTO account_events (account_id, revision, kind, at, about, reason, expires_at)
        SELECT id, revision, ?2, ?3, ?4, ?5, ?6 FROM accounts WHERE id = ?1
        ON CONFLICT (account_id, revision) DO NOTHING RETURNING revision
        """
    fileprivate static let appendNumberedEvent: Self = """
        INSERT INTO account_events (account_id, revision, kind, at, about, reason, expires_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """
    fileprivate static let raiseRevision: Self = """
        UPDATE accounts SET revision = revision + ?2 WHERE id = ?1 RETURNING revision
        """
}
