public import AccountService

extension SQLAccountStore {
    public func noteHooks(_ names: [String], at: Timestamp) async throws {
        try await database.write { connection in
            // One order for all, so that two servers that start at once do not wait for each other.
            for name in names.sorted() { try connection.execute(.noteHook, [.text(name), .time(at)]) }
        }
    }

    public func leaseNotices(for hook: String, _ lease: OutboxLease) async throws -> [PendingNotice] {
        // Most looks find nothing: those cost no write.
        let isAnyDue = try await database.read { connection in
            try connection.returnsRow(.anyNoticeDue, [.text(hook), .time(lease.at)])
        }
        guard isAnyDue else { return [] }
        return try await database.write { connection in
            try connection.query(
                .leaseNotices,
                [
                    .text(hook), .time(lease.at), .time(lease.until), .text(lease.owner),
                    .int64(Int64(max(0, lease.limit))),
                ]
            ) { try $0.pendingNotice() }
        }
    }

    public func settleNotice(
        _ id: AccountNoticeID, for hook: String, owner: String, _ outcome: NoticeOutcome
    ) async throws -> Bool {
        try await database.write { connection in
            let which: [SQLValue] = try [.text(hook), .id(id), .text(owner)]
            let touched =
                switch outcome {
                case .taken: try connection.execute(.removeNotice, which)
                case .again(let next, let failure):
                    try connection.execute(.tellLater, which + [.text(failure), .time(next)])
                case .parked(let failure): try connection.execute(.parkNotice, which + [.text(failure)])
                }
            return touched > 0
        }
    }

    public func parkedNotices(limit: Int) async throws -> [PendingNotice] {
        try await database.read { connection in
            try connection.query(.parkedNotices, [.int64(Int64(max(0, limit)))]) { try $0.pendingNotice() }
        }
    }

    public func retryParkedNotices(at: Timestamp, by actor: AuditActor) async throws -> Int {
        try await database.write { connection in
            let ids = try connection.query(.retryParkedNotices, [.time(at)]) { try $0.text() }
            for id in ids {
                try connection.append(AuditEntry(.outboxRetried, at: at, by: actor, account: nil, subject: id))
            }
            return ids.count
        }
    }
}

extension SQLColumns {
    fileprivate mutating func pendingNotice() throws -> PendingNotice {
        let notice = try AccountNotice(
            id: word(), kind: word(), accountID: word(), sequence: int64(), happenedAt: time(),
            identityID: optionalText().map(IdentityID.init(rawValue:)), reason: optionalText())
        return try PendingNotice(
            notice: notice, hook: text(), state: word(PendingNotice.State.self), attempts: int64(),
            waitingSince: time(), nextAttemptAt: time(), failure: optionalText())
    }
}

extension SQLStatement {
    private static let noticeColumns: Self = """
        id, kind, account_id, sequence, happened_at, identity_id, reason, hook, state, attempts, waiting_since,
        next_attempt_at, failure
        """
    fileprivate static let noteHook: Self = """
        INSERT INTO hooks (name, seen_at) VALUES (?1, ?2)
        ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at
        """
    fileprivate static let anyNoticeDue: Self = """
        SELECT id FROM account_notices
        WHERE hook = ?1 AND state = 'waiting' AND next_attempt_at <= ?2 AND leased_until <= ?2 LIMIT 1
        """
    /// The condition is there twice, because where several can write at once another may take a row in between, and put
    /// it back.
    fileprivate static let leaseNotices: Self = """
        UPDATE account_notices SET leased_until = ?3, owner = ?4, attempts = attempts + 1
        WHERE hook = ?1 AND state = 'waiting' AND leased_until <= ?2 AND next_attempt_at <= ?2 AND id IN (
            SELECT n.id FROM account_notices n
            WHERE n.hook = ?1 AND n.state = 'waiting' AND n.next_attempt_at <= ?2 AND n.leased_until <= ?2
                AND NOT EXISTS (
                    SELECT e.id FROM account_notices e
                    WHERE e.hook = ?1 AND e.account_id = n.account_id AND e.state = 'waiting'
                        AND e.sequence < n.sequence)
            ORDER BY n.next_attempt_at, n.id LIMIT ?5)
        RETURNING \(noticeColumns)
        """
    fileprivate static let removeNotice: Self = "DELETE FROM account_notices WHERE hook = ?1 AND id = ?2 AND owner = ?3"
    fileprivate static let tellLater: Self = """
        UPDATE account_notices SET failure = ?4, next_attempt_at = ?5, leased_until = 0
        WHERE hook = ?1 AND id = ?2 AND owner = ?3 AND state = 'waiting'
        """
    fileprivate static let parkNotice: Self = """
        UPDATE account_notices SET state = 'parked', failure = ?4, leased_until = 0
        WHERE hook = ?1 AND id = ?2 AND owner = ?3 AND state = 'waiting'
        """
    fileprivate static let parkedNotices: Self = """
        SELECT \(noticeColumns) FROM account_notices WHERE state = 'parked' ORDER BY happened_at, id LIMIT ?1
        """
    fileprivate static let retryParkedNotices: Self = """
        UPDATE account_notices SET state = 'waiting', waiting_since = ?1, next_attempt_at = ?1, leased_until = 0
        WHERE state = 'parked' RETURNING id
        """
}
