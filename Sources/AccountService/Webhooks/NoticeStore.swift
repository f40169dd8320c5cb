/// The part of a store that keeps what hooks are still to be told.
///
/// The transactions that do something to an account write the notices themselves, one for each hook that was noted.
public protocol NoticeStore: Sendable {
    /// Notes hooks for which notices are kept from now on; those that were noted before have been seen again.
    func noteHooks(_ names: [String], at: Timestamp) async throws

    /// Takes a hook's notices that are due and that nobody has taken, or only for a time that is over; the longest due
    /// first. A notice is not taken while an earlier one of the same account waits. Each counts as begun.
    func leaseNotices(for hook: String, _ lease: OutboxLease) async throws -> [PendingNotice]

    /// Notes what an attempt came to.
    /// - Returns: false, and nothing was written, unless the owner's lease is the last one.
    func settleNotice(
        _ id: AccountNoticeID, for hook: String, owner: String, _ outcome: NoticeOutcome
    ) async throws -> Bool

    /// Parked notices, oldest first.
    func parkedNotices(limit: Int) async throws -> [PendingNotice]

    /// Lets every parked notice be tried again, now and for as long as a new one.
    /// - Returns: how many there were.
    func retryParkedNotices(at: Timestamp, by actor: AuditActor) async throws -> Int
}
