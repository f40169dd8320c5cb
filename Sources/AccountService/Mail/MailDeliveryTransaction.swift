import AccountDatabase

/// A mail that a worker has taken from the queue.
struct PendingMail: Hashable, Sendable {
    var id: MailID
    var kind: Mail.Kind
    /// Whether the mail was held for Apple's relay until this attempt.
    var wasHeldByRelay: Bool
    var isRelay: Bool
    var sealed: [UInt8]
    /// How often it was begun.
    var attempts: Int64
    var createdAt: Timestamp
    /// Since when it may go: its creation, or when it last left being held or parked, or the end of the day of the last mail
    /// of its kind to the address.
    var waitingSince: Timestamp
    /// Mails of the kind that were left out, because this one waited.
    var leftOut: Int64
    /// Mails that went to the recipient within the last day.
    var sentLately: Int64
}

extension AccountTransactions {
    /// Leases mails that are due and that no server holds a lease on: announcements last, and the longest due first. Each
    /// counts as begun. If several mails of one kind go to one address, one is under way at a time. Mails of an unknown kind
    /// are left to a newer version.
    func leaseMails(_ lease: QueueLease) async throws -> [PendingMail] {
        // Most looks find nothing: those cost no write.
        let dayBefore = lease.at - MailRules.day
        let isAnyDue = try await read { try $0.returnsRow(.anyMailDue, [.time(lease.at), .time(dayBefore)]) }
        guard isAnyDue else { return [] }
        return try await write { connection in
            // One server after the other: each must see what the others have under way.
            try connection.lock(Self.mailLeases)
            return try connection.query(
                .leaseMails,
                [
                    .time(lease.at), .time(dayBefore), .time(lease.until), .text(lease.owner),
                    .int64(Int64(max(0, lease.limit))),
                ]
            ) { try PendingMail(&$0) }
        }
    }

    /// "mail" in ASCII.
    private static let mailLeases: Int64 = 0x6D61_696C

    /// Records the outcome of an attempt. A delivered mail is removed even if another server has leased it.
    /// - Returns: false, and nothing was written, unless the owner's lease is the last one or the mail is delivered.
    func noteMail(_ id: MailID, owner: String, _ outcome: MailRules.Outcome, at: Timestamp) async throws -> Bool {
        try await write { connection in
            switch outcome {
            case .delivered:
                let touched = try connection.run([
                    SQLStep(.noteMailSent, [.id(id), .time(at), .time(at + MailRules.day)]),
                    SQLStep(.putOffFurtherMails, [.id(id), .time(at + MailRules.day)]),
                    SQLStep(.removeMail, [.id(id)]),
                ])
                return touched.last != 0
            case .again(let next, let failure):
                return try connection.execute(
                    .tryMailLater,
                    [.id(id), .text(owner), .text(failure), .time(next), .time(at), .time(MailRules.untilReleased)]) > 0
            case .heldByRelay(let next, let failure):
                return try connection.execute(
                    .holdMail,
                    [.id(id), .text(owner), .text(failure), .time(next), .time(MailRules.untilReleased)]) > 0
            case .parked(let failure):
                return try connection.execute(.parkMail, [.id(id), .text(owner), .text(failure)]) > 0
            }
        }
    }

    /// How many mails of each unknown kind are due since a time, and wait for a server of a newer version.
    func mailsOfUnknownKinds(dueSince time: Timestamp) async throws -> [(kind: Mail.Kind, count: Int64)] {
        try await read { connection in
            try connection.query(.countUnknownMails, [.time(time)]) {
                try (kind: $0.word(Mail.Kind.self), count: $0.int64())
            }
        }
    }

    /// Removes at most `limit` mails that were in the queue for ``MailRules/lifetime(of:)``.
    /// - Returns: what they were about.
    func sweepMails(at: Timestamp, limit: Int) async throws -> [Mail.Kind] {
        try await write { connection in
            let kinds = try connection.query(.sweepMails, [.time(at), .int64(Int64(max(0, limit)))]) {
                try $0.word(Mail.Kind.self)
            }
            if !kinds.isEmpty { connection.eraseRemoved() }
            return kinds
        }
    }
}

extension PendingMail {
    fileprivate init(_ columns: inout SQLColumns) throws {
        let (id, kind) = try (columns.word(MailID.self), columns.word(Mail.Kind.self))
        // A mail that waits for the end of a deletion is held, too, and isn't taken.
        let wasHeld = try columns.word(ListedMail.State.self) == .held
        try self.init(
            id: id, kind: kind, wasHeldByRelay: wasHeld, isRelay: columns.flag(),
            sealed: columns.bytes(), attempts: columns.int64(), createdAt: columns.time(),
            waitingSince: columns.time(), leftOut: columns.int64(), sentLately: columns.int64())
    }
}

extension SQLStatement {
    /// The words of ``Mail/Kind/all``.
    private static let knownKinds: Self = """
        ('verify_address', 'address_changed', 'new_device', 'deletion_begun', 'deletion_done', 'sign_up', 'sign_in_link',
        'password_reset', 'account_exists', 'no_account', 'password_changed', 'password_off', 'upgraded', 'link_address',
        'linked', 'unlinked', 'two_accounts', 'merged', 'announcement', 'test')
        """
    private static let isDue: Self = """
        m.state <> 'parked' AND m.next_attempt_at <= ?1 AND m.leased_until <= ?1 AND m.expires_at > ?1
            AND m.kind IN \(knownKinds)
        """
    fileprivate static let countUnknownMails: Self = """
        SELECT kind, count(*) FROM mails
        WHERE state <> 'parked' AND next_attempt_at <= ?1 AND kind NOT IN \(knownKinds) GROUP BY kind ORDER BY kind
        """
    /// No other mail of the kind to the address is under way, due before this one, or gone within the day. The last counts
    /// for a mail that came while the other's note was being written, so that neither saw the other.
    private static let isNext: Self = """
        (m.kind IN \(answeringKinds) OR NOT EXISTS (
            SELECT e.id FROM mails e WHERE e.recipient_hash = m.recipient_hash AND e.kind = m.kind AND e.id <> m.id
                AND e.state <> 'parked' AND (e.leased_until > ?1
                    OR (e.next_attempt_at <= ?1 AND (e.next_attempt_at, e.id) < (m.next_attempt_at, m.id))))
            AND (SELECT count(*) \(sentMails("m.kind", to: "m.recipient_hash", since: "?2"))) = 0)
        """
    fileprivate static let anyMailDue: Self = dueMails(limit: "1")
    /// The lease is alone, so the condition stands here once.
    fileprivate static let leaseMails: Self = """
        UPDATE mails SET leased_until = ?3, owner = ?4, attempts = attempts + 1
        WHERE id IN (\(dueMails(limit: "?5")))
        RETURNING id, kind, state, is_relay, sealed, attempts, created_at, waiting_since, left_out,
            (SELECT count(*) FROM mails_sent s WHERE s.recipient_hash = mails.recipient_hash AND s.sent_at > ?2)
        """
    /// One look for each of ``MailRules/priority(of:)``, so that an index has the mails of each in their order.
    private static func dueMails(limit: Self) -> Self {
        func due(_ priority: Self) -> Self {
            """
            SELECT id, priority, next_attempt_at FROM (
                SELECT m.id, m.priority, m.next_attempt_at FROM mails m
                WHERE m.priority = \(priority) AND \(isDue) AND \(isNext)
                ORDER BY m.next_attempt_at, m.id LIMIT \(limit)) AS due
            """
        }
        return """
            SELECT id FROM (\(due("0")) UNION ALL \(due("1"))) AS found
            ORDER BY priority, next_attempt_at, id LIMIT \(limit)
            """
    }
    fileprivate static let noteMailSent: Self = """
        INSERT INTO mails_sent (id, kind, account_id, recipient_hash, sent_at, expires_at)
        SELECT id, kind, account_id, recipient_hash, ?2, ?3 FROM mails WHERE id = ?1
        ON CONFLICT (id) DO NOTHING
        """
    fileprivate static let putOffFurtherMails: Self = """
        UPDATE mails SET next_attempt_at = ?2, waiting_since = ?2
        WHERE (recipient_hash, kind) IN (SELECT m.recipient_hash, m.kind FROM mails m WHERE m.id = ?1) AND id <> ?1
            AND kind NOT IN \(answeringKinds) AND next_attempt_at < ?2
        """
    fileprivate static let removeMail: Self = "DELETE FROM mails WHERE id = ?1"
    /// If Apple's word has held the mail while it was being sent, only its lease ends.
    fileprivate static let tryMailLater: Self = """
        UPDATE mails SET leased_until = 0,
            failure = CASE WHEN next_attempt_at = ?6 THEN failure ELSE ?3 END,
            next_attempt_at = CASE WHEN next_attempt_at = ?6 THEN ?6 ELSE ?4 END,
            state = CASE WHEN next_attempt_at = ?6 THEN 'held' ELSE 'waiting' END,
            waiting_since = CASE WHEN state = 'held' THEN ?5 ELSE waiting_since END
        WHERE id = ?1 AND owner = ?2 AND state <> 'parked'
        """
    fileprivate static let holdMail: Self = """
        UPDATE mails SET failure = CASE WHEN next_attempt_at = ?5 THEN failure ELSE ?3 END,
            next_attempt_at = CASE WHEN next_attempt_at = ?5 THEN ?5 ELSE ?4 END, leased_until = 0, state = 'held'
        WHERE id = ?1 AND owner = ?2 AND state <> 'parked'
        """
    fileprivate static let parkMail: Self = """
        UPDATE mails SET failure = ?3, leased_until = 0, state = 'parked'
        WHERE id = ?1 AND owner = ?2 AND state <> 'parked'
        """
    fileprivate static let sweepMails: Self = """
        DELETE FROM mails WHERE id IN
            (SELECT id FROM mails WHERE expires_at <= ?1 AND leased_until <= ?1 ORDER BY expires_at LIMIT ?2)
        RETURNING kind
        """
}
