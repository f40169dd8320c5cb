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

extension SQLConnection {
    /// Puts a mail into the queue, as part of what this transaction does. It costs no round trip of its own, except for
    /// ``Mail/Kind/verifyAddress``.
    ///
    /// An address gets at most one mail of a kind a day, unless somebody's act has asked for it:
    /// - A further mail about a new device waits until the day is over, or is left out if one waits already.
    /// - A further mail about a deletion is left out.
    /// - A further announcement waits until the day is over.
    /// - Mails that ask an address to be confirmed have a limit of their own, by account and by address.
    ///
    /// Throws ``AccountError/Code/rateLimited`` for one more mail that asks an address to be confirmed; then the
    /// transaction ends.
    /// - Parameter mail: nil, without a ``MailSender``, does nothing.
    func enqueue(_ mail: QueuedMail?) throws {
        guard let mail else { return }
        switch mail.kind {
        case .verifyAddress:
            try requireVerification(allowedBy: mail)
            try executeLater(.insertMail, values(of: mail))
        case .newDevice:
            try executeLater(.insertMailUnlessOneWaits, values(of: mail))
            try executeLater(.noteLeftOut, [.hash(mail.recipientHash), .text(mail.kind), .id(mail.id)])
        case .deletionBegun, .deletionDone:
            try executeLater(.insertMailUnlessOneWaitsOrWent, values(of: mail))
        default:
            try executeLater(.insertMail, values(of: mail))
        }
    }

    private func values(of mail: QueuedMail) throws -> [SQLValue] {
        let waitsForDeletion = mail.deletion != nil
        let isHeld = waitsForDeletion || mail.isForwardingOff
        let failure: String? = mail.isForwardingOff && !waitsForDeletion ? RelayFailure.forwardingOff.rawValue : nil
        let next: Timestamp =
            if waitsForDeletion || mail.isForwardingOff && mail.account != nil {
                MailRules.untilReleased
            } else {
                mail.isForwardingOff ? mail.createdAt + MailRules.heldInterval : mail.createdAt
            }
        return try [
            .id(mail.id), .text(mail.kind), .id(orNull: mail.account), .hash(mail.recipientHash), .flag(mail.isRelay),
            .bytes(mail.sealed), mail.deletion.map(SQLValue.hash) ?? .null,
            .text(isHeld ? MailRecord.State.held : .waiting), .time(mail.createdAt), .time(next),
            .text(orNull: failure), .time(mail.createdAt + MailRules.lifetime(of: mail.kind)),
            .time(mail.createdAt - MailRules.day), .duration(MailRules.day), .int64(MailRules.priority(of: mail.kind)),
        ]
    }

    /// Whoever asks for the same address at the same moment waits, so that no two pass the limit together. The lock comes
    /// after that of the account.
    private func requireVerification(allowedBy mail: QueuedMail) throws {
        try lock(mail.recipientHash.bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) })
        let since = mail.createdAt - MailRules.day
        let kind = try SQLValue.text(mail.kind)
        let toAddress = try first(.countToRecipient, [.hash(mail.recipientHash), kind, .time(since)]) {
            try $0.int64()
        }
        let ofAccount = try first(.countOfAccount, [.id(orNull: mail.account), kind, .time(since)]) { try $0.int64() }
        guard max(toAddress ?? 0, ofAccount ?? 0) < MailRules.verificationsPerDay else {
            throw AccountError(
                .rateLimited, "too many mails have asked for this address, or this account, to be confirmed today",
                retryAfter: .hours(1))
        }
    }

    /// Takes mails of a kind out of the queue that nobody needs any more, such as one with a link that was called off. A
    /// mail that is being sent stays, so that it counts for the limits.
    func withdrawMails(_ kind: Mail.Kind, of account: AccountID, at moment: Timestamp) throws {
        try executeLater(.withdrawMails, [.id(account), .text(kind), .time(moment)])
    }

    /// Holds an account's mails to a relay address: Apple has said that it forwards none to the person now. A mail that is
    /// being sent is held unless it arrives. Does nothing while Apple forwards to another identity of the account.
    func holdRelayMails(of account: AccountID) throws {
        try executeLater(
            .holdRelayMails, [.id(account), .time(MailRules.untilReleased), .text(RelayFailure.forwardingOff.rawValue)])
    }

    /// Takes an account's mails to an address that counts no more out of the queue, except for those about its change. A
    /// mail that is being sent stays.
    func withdrawMails(to recipient: TokenHash, of account: AccountID, at moment: Timestamp) throws {
        try executeLater(.withdrawMailsTo, [.id(account), .hash(recipient), .time(moment)])
    }

    /// Makes held mails to an account's relay address due: Apple forwards mail to the person again.
    func releaseRelayMails(of account: AccountID, at moment: Timestamp) throws {
        try executeLater(
            .releaseRelayMails,
            [.id(account), .time(moment), .flag(true), .time(moment - MailRules.day), .duration(MailRules.day)])
    }

    /// Makes the mail due that waits for the end of a deletion, if the deletion is over.
    func releaseMail(ofDeletion deletion: TokenHash, at moment: Timestamp) throws {
        try executeLater(
            .releaseMailOfDeletion, [.hash(deletion), .time(moment), .time(moment + MailRules.lifetime)])
    }

    /// Takes the mail out of the queue that waits for the end of a deletion: the person came back.
    func withdrawMail(ofDeletion deletion: TokenHash) throws {
        try executeLater(.withdrawMailOfDeletion, [.hash(deletion)])
    }
}

extension AccountTransactions {
    /// Puts a mail into the queue that no other transaction has to do with.
    package func enqueue(_ mail: QueuedMail?) async throws {
        guard let mail else { return }
        try await write { try $0.enqueue(mail) }
    }

    /// Takes mails that are due and that nobody has taken, or only for a time that is over; announcements last, and the
    /// longest due first. Each counts as begun. Of several mails of one kind to one address, one is under way at a time.
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
        let wasHeld = try columns.word(MailRecord.State.self) == .held
        try self.init(
            id: id, kind: kind, wasHeldByRelay: wasHeld, isRelay: columns.flag(),
            sealed: columns.bytes(), attempts: columns.int64(), createdAt: columns.time(),
            waitingSince: columns.time(), leftOut: columns.int64(), sentLately: columns.int64())
    }
}

extension SQLStatement {
    private static let intoMails: Self = """
        INSERT INTO mails (id, kind, account_id, recipient_hash, is_relay, sealed, deletion_hash, state, created_at,
            next_attempt_at, failure, expires_at, attempts, waiting_since, leased_until, priority, left_out)
        """
    /// An announcement waits until a day after the last one to the address; so does a mail about a new device. A mail that
    /// waits for something else has a later time anyway.
    private static let ofMail: Self = """
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, \(timeOfMail), ?11, ?12, 0,
            CASE WHEN ?8 = 'held' THEN ?9 ELSE \(timeOfMail) END, 0, ?15, 0
        """
    private static let timeOfMail = firstTime(from: "?10", for: "?2", to: "?4", since: "?13", day: "?14")
    private static let unlessOneWaits: Self = """
        NOT EXISTS (SELECT m.id FROM mails m WHERE m.recipient_hash = ?4 AND m.kind = ?2 AND m.state <> 'parked')
        """
    fileprivate static let insertMail: Self = "\(intoMails) \(ofMail)"
    fileprivate static let insertMailUnlessOneWaits: Self = "\(intoMails) \(ofMail) WHERE \(unlessOneWaits)"
    /// Counts a mail that was not written on the one that waits.
    fileprivate static let noteLeftOut: Self = """
        UPDATE mails SET left_out = left_out + 1
        WHERE recipient_hash = ?1 AND kind = ?2 AND state <> 'parked'
            AND NOT EXISTS (SELECT n.id FROM mails n WHERE n.id = ?3)
        """
    fileprivate static let insertMailUnlessOneWaitsOrWent: Self = """
        \(intoMails) \(ofMail) WHERE \(unlessOneWaits)
            AND NOT EXISTS (SELECT s.id \(sentMails("?2", to: "?4", since: "?13")))
        """
    /// The kinds whose mails stay no longer than the link in them is good: see ``MailRules/lifetime(of:)``.
    static let kindsWithLink: Self = "('verify_address', 'address_changed', 'new_device')"

    private static let countedMails: Self = """
        AND m.kind = ?2 AND m.created_at > ?3
        """
    fileprivate static let countToRecipient: Self = """
        SELECT (SELECT count(*) FROM mails m WHERE m.recipient_hash = ?1 \(countedMails))
            + (SELECT count(*) \(sentMails("?2", to: "?1", since: "?3")))
        """
    fileprivate static let countOfAccount: Self = """
        SELECT (SELECT count(*) FROM mails m WHERE m.account_id = ?1 \(countedMails))
            + (SELECT count(*) FROM mails_sent s WHERE s.account_id = ?1 AND s.kind = ?2 AND s.sent_at > ?3)
        """

    private static let isDue: Self = """
        m.state <> 'parked' AND m.next_attempt_at <= ?1 AND m.leased_until <= ?1 AND m.expires_at > ?1
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
    /// Of a mail that Apple's word has held while it was being sent, only the lease ends.
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
    fileprivate static let withdrawMails: Self = """
        DELETE FROM mails WHERE account_id = ?1 AND kind = ?2 AND leased_until <= ?3
        """
    fileprivate static let holdRelayMails: Self = """
        UPDATE mails SET state = 'held', next_attempt_at = ?2, failure = ?3
        WHERE account_id = ?1 AND state <> 'parked' AND deletion_hash IS NULL AND \(isForwardingOff)
        """
    fileprivate static let withdrawMailsTo: Self = """
        DELETE FROM mails
        WHERE account_id = ?1 AND recipient_hash = ?2 AND leased_until <= ?3 AND kind <> 'address_changed'
        """
    fileprivate static let releaseRelayMails: Self = """
        UPDATE mails SET state = 'waiting', waiting_since = \(firstTimeInQueue(from: "?2", since: "?4", day: "?5")),
            next_attempt_at = \(firstTimeInQueue(from: "?2", since: "?4", day: "?5"))
        WHERE account_id = ?1 AND state = 'held' AND is_relay = ?3 AND deletion_hash IS NULL
        """
    fileprivate static let releaseMailOfDeletion: Self = """
        UPDATE mails SET state = 'waiting', deletion_hash = NULL, waiting_since = ?2, next_attempt_at = ?2, expires_at = ?3
        WHERE deletion_hash = ?1
            AND EXISTS (SELECT d.handle_hash FROM deletions d WHERE d.handle_hash = ?1 AND d.finished_at IS NOT NULL)
        """
    fileprivate static let withdrawMailOfDeletion: Self = "DELETE FROM mails WHERE deletion_hash = ?1"
    fileprivate static let sweepMails: Self = """
        DELETE FROM mails WHERE id IN
            (SELECT id FROM mails WHERE expires_at <= ?1 AND leased_until <= ?1 ORDER BY expires_at LIMIT ?2)
        RETURNING kind
        """

    /// Whether a mail goes to the relay, and Apple has said of each identity of the account that it forwards no mail.
    static let isForwardingOff: Self = """
        (mails.is_relay = TRUE AND (
            SELECT max(CASE WHEN i.forwarding_on = FALSE THEN 0 ELSE 1 END) FROM identities i
            WHERE i.account_id = mails.account_id AND i.is_private_email = TRUE AND i.removed_at IS NULL
                AND i.access_ended_at IS NULL) = 0)
        """
}
