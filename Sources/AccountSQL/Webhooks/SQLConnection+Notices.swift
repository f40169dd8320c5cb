import AccountService

extension SQLConnection {
    /// Writes what a transaction has done to an account, once for each hook. The id follows from the notice, so that a
    /// notice is not written twice.
    func tellHooks(_ notice: AccountNotice) throws {
        try execute(
            .tellHooks,
            [
                .id(notice.id), .text(notice.kind), .id(notice.accountID), .int64(notice.sequence),
                .time(notice.happenedAt), .id(orNull: notice.identityID), .text(orNull: notice.reason),
            ])
    }

    /// Forgets the notices of hooks that no server has had since a moment, and then the hooks.
    /// - Returns: how many rows went.
    func sweepHooks(before moment: Timestamp, limit: Int64) throws -> Int {
        let notices = try execute(.sweepNotices, [.time(moment), .int64(limit)])
        return try notices + execute(.sweepHooks, [.time(moment)])
    }
}

extension SQLStatement {
    fileprivate static let tellHooks: Self = """
        INSERT INTO account_notices (hook, id, kind, account_id, sequence, happened_at, identity_id, reason, state,
            attempts, waiting_since, next_attempt_at, leased_until)
        SELECT name, ?1, ?2, ?3, ?4, ?5, ?6, ?7, 'waiting', 0, ?5, ?5, 0 FROM hooks WHERE name <> ''
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
