import AccountDatabase
import AppleID
import Logging
import ServiceLifecycle

/// Removes old rows: attempts, notes of used things, pending profiles, authorizations, one-time links, counts, events,
/// sessions long ended, old entries of the audit. It works in small batches, every minute, for ever. Tables that every
/// sign-in writes to are walked through, as often as each ``KeyOrderSweep`` says.
package struct Sweeper: NamedService {
    static let interval: Duration = .minutes(1)
    /// Rows of each kind in one transaction, so that no sign-in waits long behind it.
    static let batchSize = 500
    /// An ended session is remembered for this long.
    static let sessionRetention: Duration = .days(30)

    /// The state of a walk through a table.
    struct Walk {
        let table: KeyOrderSweep
        /// When it begins, or goes on.
        var due = Timestamp(microseconds: .min)
        /// How far it has come; nil before its begin.
        var last: KeyOrderSweep.Row?

        /// Whether the walk begins or goes on at a moment. If the clock was set back, the time may lie too far ahead.
        func isDue(at now: Timestamp) -> Bool { due <= now || due > now + table.interval }
    }

    let store: AccountTransactions
    let auditLifetime: Duration
    let environment: AppleIDEnvironment
    let instrumentation: AppleIDInstrumentation
    let logger: Logger

    package func run() async {
        await cancelWhenGracefulShutdown {
            var walks = KeyOrderSweep.allCases.map { Walk(table: $0) }
            while (try? await Task.sleep(for: Self.interval)) != nil {
                await self.sweep(&walks)
            }
        }
    }

    /// A round that leaves nothing out.
    func sweep() async {
        var walks = KeyOrderSweep.allCases.map { Walk(table: $0) }
        await sweep(&walks)
    }

    /// One round: walks that are due, and batches until one finds less than it could take.
    func sweep(_ walks: inout [Walk]) async {
        let now = Timestamp(environment.now())
        for index in walks.indices where walks[index].isDue(at: now) {
            await go(on: &walks[index], at: now)
        }
        do {
            _ = try await store.removeServerKeys(retiredBefore: now - ServerKeys.retiredLifetime)
            while !Task.isCancelled {
                let removed = try await store.sweep(
                    at: now, sessionsBefore: now - Self.sessionRetention, limit: Self.batchSize)
                let forgotten = try await store.sweepAudit(before: now - auditLifetime, limit: Self.batchSize)
                let mails = try await sweepMails(at: now)
                if removed + forgotten + mails < Self.batchSize { return }
            }
        } catch {
            logger.warning(
                "Old rows could not be removed; the next round tries again.", metadata: ["error": "\(error)"])
        }
    }

    /// No mail is lost in silence, also where mail is no longer configured.
    private func sweepMails(at now: Timestamp) async throws -> Int {
        let kinds = try await store.sweepMails(at: now, limit: Self.batchSize)
        for (kind, mails) in Dictionary(grouping: kinds, by: \.self) {
            instrumentation.countMail(kind, outcome: "expired", by: mails.count)
            logger.warning(
                "Mails that could not be delivered in time are removed.",
                metadata: ["kind": "\(kind.rawValue)", "mails": "\(mails.count)"])
        }
        return kinds.count
    }

    /// Goes on to the table's end, if nothing fails: the next round goes on from there.
    private func go(on walk: inout Walk, at now: Timestamp) async {
        do {
            repeat {
                walk.last = try await store.sweep(
                    walk.table, after: walk.last, endedBy: now - walk.table.retention, limit: Self.batchSize)
            } while walk.last != nil && !Task.isCancelled
            if walk.last == nil { walk.due = now + walk.table.interval }
        } catch {
            logger.warning(
                "Old rows could not be removed; the next round goes on.", metadata: ["error": "\(error)"])
        }
    }
}

extension AccountTransactions {
    /// Removes at most `limit` rows of each kind whose time is over: attempts, pending profiles, authorizations, counts of
    /// wrong codes and passwords, one-time links and requests of them, handles of conflicts, notifications, notes and
    /// links of mails, contact addresses that wait and changes of them that can be taken back, entries of the outbox
    /// and deletions finished 30 days ago, hooks not seen for ``HookDelivery/retention`` and their changes, people of
    /// another store who were never moved, and sessions that ended before `sessionsBefore`.
    /// - Returns: how many rows went.
    package func sweep(at: Timestamp, sessionsBefore: Timestamp, limit: Int) async throws -> Int {
        try await write { connection in
            let limit = Int64(max(0, limit))
            var removed = 0
            let names = try connection.execute(.sweepPendingProfiles, [.time(at), .int64(limit)])
            if names > 0 { connection.eraseRemoved() }
            removed += names
            for statement in Self.sweepsByTime {
                removed += try connection.execute(statement, [.time(at), .int64(limit)])
            }
            removed += try connection.sweepPendingContacts(at: at, limit: limit)
            removed += try connection.sweepContactChanges(at: at, limit: limit)
            removed += try connection.sweepEmailLinks(at: at, limit: limit)
            removed += try connection.sweepTransfers(before: at - PersonTransfer.retention, limit: limit)
            removed += try connection.execute(
                .sweepOutbox, [.time(at - OutboxEntry.retention), .int64(limit)])
            removed += try connection.execute(
                .sweepDeletions, [.time(at - Deletion.retention), .int64(limit)])
            removed += try connection.sweepHooks(before: at - HookDelivery.retention, limit: limit)
            return try removed + connection.execute(.sweepEndedSessions, [.time(sessionsBefore), .int64(limit)])
        }
    }

    private static var sweepsByTime: [SQLStatement] {
        [
            .sweepAttempts, .sweepAuthorizations, .sweepWrongCodes, .sweepNotifications, .sweepMailsSent,
            .sweepNotMeLinks, .sweepAnnounced, .sweepPasswordFailures, .sweepConflictHandles,
            .sweepLinkRequests,
        ]
    }
}

extension SQLStatement {
    /// Removes rows of a table whose time `?1` has reached, the oldest first, `?2` at most. A wrong password may give
    /// its row a later time meanwhile, so the time is compared once more.
    /// - Parameter key: the columns by which a row is known.
    private static func sweep(_ table: Self, key: Self, time: Self = "expires_at") -> Self {
        """
        DELETE FROM \(table) WHERE \(time) <= ?1 AND (\(key)) IN
            (SELECT \(key) FROM \(table) WHERE \(time) <= ?1 ORDER BY \(time) LIMIT ?2)
        """
    }

    fileprivate static let sweepAttempts = sweep("attempts", key: "state_hash")
    /// A refresh token of Apple's that no sign-in took over goes with its row: forgotten, not revoked, as when a newer
    /// one replaces it.
    fileprivate static let sweepAuthorizations = sweep("authorizations", key: "id", time: "kept_until")
    fileprivate static let sweepWrongCodes = sweep("wrong_codes", key: "kind, network, window_start")
    fileprivate static let sweepNotifications = sweep("apple_notifications", key: "id")
    fileprivate static let sweepMailsSent = sweep("mails_sent", key: "id")
    fileprivate static let sweepNotMeLinks = sweep("not_me_links", key: "hash")
    fileprivate static let sweepAnnounced = sweep("announced", key: "announcement, account_id")
    fileprivate static let sweepPasswordFailures = sweep("password_failures", key: "kind, hash")
    fileprivate static let sweepConflictHandles = sweep("conflict_handles", key: "hash")
    fileprivate static let sweepLinkRequests = sweep("link_requests", key: "id")
    fileprivate static let sweepOutbox = sweep("outbox", key: "id", time: "finished_at")
    fileprivate static let sweepDeletions = sweep("deletions", key: "handle_hash", time: "finished_at")

    /// A sign-in may give a row a later time while it is swept, so the time is compared once more.
    fileprivate static let sweepPendingProfiles: Self = """
        DELETE FROM kept_names WHERE expires_at <= ?1 AND (team, subject) IN
            (SELECT team, subject FROM kept_names WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)
        """
    fileprivate static let sweepEndedSessions: Self = """
        DELETE FROM sessions WHERE id IN
            (SELECT id FROM sessions WHERE ended_at < ?1 ORDER BY ended_at LIMIT ?2)
        """
}
