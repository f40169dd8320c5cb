import AccountDatabase

extension AccountTransactions {
    /// Returns the entries of the audit, newest first: at most `limit` that are older than `before`.
    /// - Parameters:
    ///   - account: nil for all accounts, and for what concerns none.
    ///   - before: nil begins with the newest.
    package func auditEntries(
        of account: AccountID?, before: AuditID?, limit: Int
    ) async throws -> [AuditEntry] {
        // Sorts after every entry's id.
        let before = before ?? AuditID(rawValue: AuditID.prefix + "~")
        let limit = Int64(max(0, limit))
        return try await read { connection in
            if let account {
                return try connection.query(
                    .auditOfAccount, [.id(account), .id(before), .int64(limit)]
                ) { try AuditEntry(&$0) }
            }
            return try connection.query(.audit, [.id(before), .int64(limit)]) { try AuditEntry(&$0) }
        }
    }

    /// The network addresses that sessions were opened from, as the audit has them.
    ///
    /// It reads only entries from the moments at which the sessions were opened, so it is fast however many entries the
    /// account has. A later proof through a session has an entry, too, which doesn't count: it opened nothing.
    package func signInAddresses(of sessions: [Session]) async throws -> [SessionID: String] {
        try await read { connection in
            var addresses: [SessionID: String] = [:]
            let steps = try sessions.map { session throws -> SQLStep in
                // An entry's id begins with its time in milliseconds, which is that of the session.
                let ids = [session.createdAt, session.createdAt + .milliseconds(1)].map {
                    AuditID(at: $0, randomness: Array(repeating: 0, count: 10))
                }
                return SQLStep(
                    .signInAddress,
                    try [
                        .id(session.accountID), .id(ids[0]), .id(ids[1]), .text(AuditEvent.signedIn),
                        .text(AuditEvent.reauthenticated), .text(session.id.rawValue),
                    ]
                ) { addresses[session.id] = try $0.text() }
            }
            _ = try connection.run(steps)
            return addresses
        }
    }

    /// Appends an entry in a transaction of its own, about an act that writes nothing else. Any other act appends its entry
    /// in the transaction that does it, by the function of `SQLConnection` below.
    package func append(_ entry: AuditEntry) async throws {
        try await write { try $0.append(entry) }
    }

    /// Removes at most `limit` entries from before a moment, the oldest.
    /// - Returns: how many went.
    package func sweepAudit(before: Timestamp, limit: Int) async throws -> Int {
        // The first id of that moment: an id begins with its time.
        let first = AuditID(at: before, randomness: Array(repeating: 0, count: 10))
        return try await write { connection in
            try connection.execute(.sweepAudit, [.id(first), .int64(Int64(max(0, limit)))])
        }
    }
}

extension AuditEntry {
    fileprivate init(_ columns: inout SQLColumns) throws {
        let id = try columns.word(AuditID.self)
        let at = try columns.time()
        let event = try columns.word(AuditEvent.self)
        let kind = try columns.word(AuditActor.Kind.self)
        let account = try columns.optionalText().map(AccountID.init(rawValue:))
        let session = try columns.optionalText().map(SessionID.init(rawValue:))
        let subject = try columns.optionalText()
        let detail = try columns.optionalText()
        let caller = try Caller(
            address: columns.optionalText(), device: columns.optionalText().map(DeviceName.init(rawValue:)))
        self.init(
            id: id, at: at, event: event, actor: AuditActor(kind, session: session, caller: caller), account: account,
            subject: subject, detail: detail)
    }
}

extension SQLStatement {
    private static let auditColumns: Self = """
        id, happened_at, event, actor, account_id, session_id, subject, detail, address, device
        """
    fileprivate static let audit: Self = """
        SELECT \(auditColumns) FROM audit WHERE id < ?1 ORDER BY id DESC LIMIT ?2
        """
    fileprivate static let auditOfAccount: Self = """
        SELECT \(auditColumns) FROM audit WHERE account_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3
        """
    /// A reauthentication in a browser opens a session, too.
    fileprivate static let signInAddress: Self = """
        SELECT address FROM audit
        WHERE account_id = ?1 AND id >= ?2 AND id < ?3 AND event IN (?4, ?5) AND subject = ?6 AND address IS NOT NULL
        ORDER BY id LIMIT 1
        """
    fileprivate static let sweepAudit: Self = """
        DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE id < ?1 ORDER BY id LIMIT ?2)
        """
}

extension SQLConnection {
    /// Appends an entry, in the transaction that does what the entry is about.
    func append(_ entry: AuditEntry) throws {
        let actor = entry.actor
        try executeLater(
            .appendToAudit,
            [
                .id(entry.id), .time(entry.at), .text(entry.event), .text(actor.kind), .id(orNull: entry.account),
                .id(orNull: actor.session), .text(orNull: entry.subject), .text(orNull: entry.detail),
                .text(orNull: actor.caller.address), .text(orNull: actor.caller.device?.rawValue),
            ])
    }

    /// Empties what is personal in an account's entries, for the purge of the account.
    func forgetCallers(of account: AccountID) throws {
        try execute(.forgetCallers, [.id(account)])
    }
}

extension SQLStatement {
    fileprivate static let appendToAudit: Self = """
        INSERT INTO audit (id, happened_at, event, actor, account_id, session_id, subject, detail, address, device)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        ON CONFLICT (id) DO NOTHING
        """
    fileprivate static let forgetCallers: Self = """
        UPDATE audit SET address = NULL, device = NULL
        WHERE account_id = ?1 AND (address IS NOT NULL OR device IS NOT NULL)
        """
}
