import AccountDatabase

extension AccountTransactions {
    /// Notes hooks for which notices are kept from now on; those that were noted before have been seen again.
    package func noteHooks(_ names: [String], at: Timestamp) async throws {
        try await write { connection in
            // One order for all, so that two servers that start at once do not wait for each other.
            for name in names.sorted() { try connection.execute(.noteHook, [.text(name), .time(at)]) }
        }
    }

    /// Takes a hook's notices that are due and that nobody has taken, or only for a time that is over; the longest due
    /// first. A notice is not taken while an earlier one of the same account waits. Each counts as begun.
    package func leaseNotices(for hook: String, _ lease: QueueLease) async throws -> [PendingNotice] {
        // Most looks find nothing: those cost no write.
        let isAnyDue = try await read { connection in
            try connection.returnsRow(.anyNoticeDue, [.text(hook), .time(lease.at)])
        }
        guard isAnyDue else { return [] }
        return try await write { connection in
            try connection.query(
                .leaseNotices,
                [
                    .text(hook), .time(lease.at), .time(lease.until), .text(lease.owner),
                    .int64(Int64(max(0, lease.limit))),
                ]
            ) { try $0.pendingNotice() }
        }
    }

    /// Notes what an attempt came to.
    /// - Returns: false, and nothing was written, unless the owner's lease is the last one.
    package func endNoticeAttempt(
        _ id: AccountNoticeID, for hook: String, owner: String, _ outcome: NoticeOutcome
    ) async throws -> Bool {
        try await write { connection in
            let which: [SQLValue] = try [.text(hook), .id(id), .text(owner)]
            let touched =
                switch outcome {
                case .taken: try connection.execute(.removeNotice, which)
                case .again(let next, let failure):
                    try connection.tellLater(which, failure, at: next)
                case .parked(let failure): try connection.execute(.parkNotice, which + [.text(failure)])
                }
            return touched > 0
        }
    }

    /// Parked notices, oldest first.
    package func parkedNotices(limit: Int) async throws -> [PendingNotice] {
        try await read { connection in
            try connection.query(.parkedNotices, [.int64(Int64(max(0, limit)))]) { try $0.pendingNotice() }
        }
    }

    /// Lets every parked notice be tried again, now and for as long as a new one.
    /// - Parameter limit: the greatest number of notices in one transaction.
    /// - Returns: how many there were.
    package func retryParkedNotices(
        at: Timestamp, by actor: AuditActor, limit: Int = AccountTransactions.retriesAtOnce
    ) async throws -> Int {
        // One transaction for a hundred thousand notices would hold up the sign-ins behind it, or take too long.
        var (count, last) = (0, ParkedNotice(hook: "", id: ""))
        while true {
            let page: [SQLValue] = try [.time(at), .text(last.hook), .text(last.id), .int64(Int64(max(1, limit)))]
            let retried = try await write { connection in
                let retried = try connection.query(.retryParkedNotices, page) { columns in
                    try ParkedNotice(hook: columns.text(), id: columns.text())
                }
                for notice in retried {
                    try connection.append(
                        AuditEntry(.outboxRetried, at: at, by: actor, account: nil, subject: notice.id))
                }
                return retried
            }
            guard let end = retried.max(by: { ($0.hook, $0.id) < ($1.hook, $1.id) }) else { return count }
            (count, last) = (count + retried.count, end)
            try Task.checkCancellation()
        }
    }

    /// The key of a parked notice.
    private struct ParkedNotice {
        var hook: String
        var id: String
    }
}

extension SQLColumns {
    fileprivate mutating func pendingNotice() throws -> PendingNotice {
        var notice = try AccountNotice(
            id: word(), kind: word(), accountID: word(), sequence: int64(), happenedAt: time(),
            identityID: optionalText().map(IdentityID.init(rawValue:)), reason: optionalText())
        notice.mergedInto = try optionalText().map(AccountID.init(rawValue:))
        return try PendingNotice(
            notice: notice, hook: text(), state: word(PendingNotice.State.self), attempts: int64(),
            waitingSince: time(), nextAttemptAt: time(), failure: optionalText())
    }
}

extension SQLConnection {
    /// Writes what a transaction has done to an account, once for each hook. The id follows from the notice, so that a
    /// notice is not written twice.
    func tellHooks(_ notice: AccountNotice) throws {
        try executeLater(
            .tellHooks,
            [
                .id(notice.id), .text(notice.kind), .id(notice.accountID), .int64(notice.sequence),
                .time(notice.happenedAt), .id(orNull: notice.identityID), .text(orNull: notice.reason),
                .id(orNull: notice.mergedInto),
            ])
    }

    /// Puts a notice off, and with it the later ones of its account: they wait for it, and need not be looked at before.
    /// - Returns: how many notices were put off for their own sake: one at most.
    fileprivate func tellLater(_ which: [SQLValue], _ failure: String, at next: Timestamp) throws -> Int {
        let touched = try execute(.tellLater, which + [.text(failure), .time(next)])
        if touched > 0 { try execute(.tellFollowersLater, which.dropLast() + [.time(next)]) }
        return touched
    }

    /// Forgets the notices of hooks that no server has had since a moment, and then the hooks.
    /// - Returns: how many rows went.
    func sweepHooks(before moment: Timestamp, limit: Int64) throws -> Int {
        let notices = try execute(.sweepNotices, [.time(moment), .int64(limit)])
        return try notices + execute(.sweepHooks, [.time(moment)])
    }
}

extension SQLStatement {
    private static let noticeColumns: Self = """
        id, kind, account_id, sequence, happened_at, identity_id, reason, merged_into, hook, state, attempts,
        waiting_since, next_attempt_at, failure
        """
    fileprivate static let noteHook: Self = """
        INSERT INTO hooks (name, seen_at) VALUES (?1, ?2)
        ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at
        """
    /// A notice that is due, and doesn't wait for an earlier one of its account.
    private static let isDue: Self = """
        n.hook = ?1 AND n.state = 'waiting' AND n.next_attempt_at <= ?2 AND n.leased_until <= ?2
                AND NOT EXISTS (
                    SELECT e.id FROM account_notices e
                    WHERE e.hook = ?1 AND e.account_id = n.account_id AND e.state = 'waiting'
                        AND e.sequence < n.sequence)
        """
    fileprivate static let anyNoticeDue: Self = "SELECT n.id FROM account_notices n WHERE \(isDue) LIMIT 1"
    /// The condition is there twice, because where several can write at once another may take a row in between, and put
    /// it back.
    fileprivate static let leaseNotices: Self = """
        UPDATE account_notices SET leased_until = ?3, owner = ?4, attempts = attempts + 1
        WHERE hook = ?1 AND state = 'waiting' AND leased_until <= ?2 AND next_attempt_at <= ?2 AND id IN (
            SELECT n.id FROM account_notices n
            WHERE \(isDue)
            ORDER BY n.next_attempt_at, n.id LIMIT ?5)
        RETURNING \(noticeColumns)
        """
    fileprivate static let removeNotice: Self = "DELETE FROM account_notices WHERE hook = ?1 AND id = ?2 AND owner = ?3"
    fileprivate static let tellLater: Self = """
        UPDATE account_notices SET failure = ?4, next_attempt_at = ?5, leased_until = 0
        WHERE hook = ?1 AND id = ?2 AND owner = ?3 AND state = 'waiting'
        """
    fileprivate static let tellFollowersLater: Self = """
        UPDATE account_notices SET next_attempt_at = ?3
        WHERE hook = ?1 AND state = 'waiting' AND next_attempt_at < ?3 AND (account_id, sequence) IN (
            SELECT f.account_id, f.sequence FROM account_notices n
            JOIN account_notices f ON f.hook = n.hook AND f.account_id = n.account_id AND f.sequence > n.sequence
            WHERE n.hook = ?1 AND n.id = ?2)
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
        WHERE (hook, id) IN (
            SELECT hook, id FROM account_notices WHERE state = 'parked' AND (hook, id) > (?2, ?3)
            ORDER BY hook, id LIMIT ?4) AND state = 'parked'
        RETURNING hook, id
        """

    fileprivate static let tellHooks: Self = """
        INSERT INTO account_notices (hook, id, kind, account_id, sequence, happened_at, identity_id, reason, merged_into,
            state, attempts, waiting_since, next_attempt_at, leased_until)
        SELECT name, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'waiting', 0, ?5, ?5, 0 FROM hooks WHERE name <> ''
        ON CONFLICT (hook, id) DO NOTHING
        """
    fileprivate static let sweepHooks: Self = """
        DELETE FROM hooks
        WHERE seen_at <= ?1 AND NOT EXISTS (SELECT n.id FROM account_notices n WHERE n.hook = hooks.name)
        """
    fileprivate static let sweepNotices: Self = """
        DELETE FROM account_notices WHERE (hook, id) IN
            (SELECT n.hook, n.id FROM hooks h JOIN account_notices n ON n.hook = h.name
             WHERE h.seen_at <= ?1 LIMIT ?2)
        """
}
