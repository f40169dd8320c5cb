import AccountDatabase

extension SQLConnection {
    /// Puts a mail into the queue, as part of what this transaction does. It costs no round trip of its own, except for
    /// ``Mail/Kind/verifyAddress``.
    ///
    /// An address gets at most one mail of a kind a day, unless somebody's act has asked for it:
    /// - A further mail about a new device waits until the day is over, or is left out if one waits already. The one that
    ///   waits says how many it stands for.
    /// - A further mail to an address without an account is left out.
    /// - A further announcement waits until the day is over.
    /// - Mails that ask an address to be confirmed have a limit of their own, by account and by address. So have mails with
    ///   the links of sign-up, sign-in and reset, see ``requestEmailLink(_:)``.
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
            try executeLater(
                .noteLeftOut,
                [.hash(mail.recipientHash), .text(mail.kind), .id(mail.id), .time(mail.createdAt)])
        case .noAccount:
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
            .text(isHeld ? ListedMail.State.held : .waiting), .time(mail.createdAt), .time(next),
            .text(orNull: failure), .time(mail.createdAt + MailRules.lifetime(of: mail.kind)),
            .time(mail.createdAt - MailRules.day), .duration(MailRules.day), .int64(MailRules.priority(of: mail.kind)),
            .id(orNull: mail.identity),
        ]
    }

    /// Requires that the limits of mails that ask for a confirmation allow one more. Requests for the same address wait for
    /// each other, so that no two pass the limit together. The lock comes after that of the account.
    private func requireVerification(allowedBy mail: QueuedMail) throws {
        try lock(hash: mail.recipientHash)
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

    /// Holds the mails to an identity's relay address: Apple has said that it forwards none to the person now. A mail that
    /// is being sent is held unless it arrives. Mails to another address go on.
    ///
    /// A mail of a former version doesn't name its identity. It is held once Apple forwards to no identity of the account.
    func holdRelayMails(to identity: IdentityID, of account: AccountID) throws {
        try executeLater(
            .holdRelayMails,
            [
                .id(account), .time(MailRules.untilReleased), .text(RelayFailure.forwardingOff.rawValue), .id(identity),
            ])
    }

    /// Takes an account's mails to an address that counts no more out of the queue, except for those about its change. A
    /// mail that is being sent stays.
    func withdrawMails(to recipient: TokenHash, of account: AccountID, at moment: Timestamp) throws {
        try executeLater(.withdrawMailsTo, [.id(account), .hash(recipient), .time(moment)])
    }

    /// Makes the held mails to an identity's relay address due: Apple forwards mail to the person again. A mail of a former
    /// version doesn't name its identity, and is due, too.
    func releaseRelayMails(to identity: IdentityID, of account: AccountID, at moment: Timestamp) throws {
        try executeLater(
            .releaseRelayMails,
            [
                .id(account), .time(moment), .flag(true), .time(moment - MailRules.day), .duration(MailRules.day),
                .id(identity),
            ])
    }

    /// Takes the mails to an identity's relay address out of the queue: nobody has the address any more. No mail goes to
    /// another address of the account instead. A mail that is being sent stays.
    func withdrawRelayMails(to identity: IdentityID, at moment: Timestamp) throws {
        try executeLater(.withdrawRelayMails, [.id(identity), .time(moment)])
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

extension SQLStatement {
    private static let intoMails: Self = """
        INSERT INTO mails (id, kind, account_id, recipient_hash, is_relay, sealed, deletion_hash, state, created_at,
            next_attempt_at, failure, expires_at, attempts, waiting_since, leased_until, priority, left_out, identity_id)
        """
    /// An announcement waits until a day after the last one to the address; so does a mail about a new device. A mail that
    /// waits for something else has a later time anyway.
    private static let ofMail: Self = """
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, \(timeOfMail), ?11, ?12, 0,
            CASE WHEN ?8 = 'held' THEN ?9 ELSE \(timeOfMail) END, 0, ?15, 0, ?16
        """
    private static let timeOfMail = firstTime(from: "?10", for: "?2", to: "?4", since: "?13", day: "?14")
    private static let unlessOneWaits: Self = """
        NOT EXISTS (SELECT m.id FROM mails m WHERE m.recipient_hash = ?4 AND m.kind = ?2 AND m.state <> 'parked')
        """
    fileprivate static let insertMail: Self = "\(intoMails) \(ofMail)"
    /// A mail that is being sent does not wait: its text is written, so it cannot stand for another one.
    fileprivate static let insertMailUnlessOneWaits: Self = """
        \(intoMails) \(ofMail) WHERE NOT EXISTS (SELECT m.id FROM mails m
            WHERE m.recipient_hash = ?4 AND m.kind = ?2 AND m.state <> 'parked' AND m.leased_until <= ?9)
        """
    /// Counts a mail that was not written on the one that waits.
    fileprivate static let noteLeftOut: Self = """
        UPDATE mails SET left_out = left_out + 1
        WHERE recipient_hash = ?1 AND kind = ?2 AND state <> 'parked' AND leased_until <= ?4
            AND NOT EXISTS (SELECT n.id FROM mails n WHERE n.id = ?3)
        """
    fileprivate static let insertMailUnlessOneWaitsOrWent: Self = """
        \(intoMails) \(ofMail) WHERE \(unlessOneWaits)
            AND NOT EXISTS (SELECT s.id \(sentMails("?2", to: "?4", since: "?13")))
        """
    /// The kinds whose mails stay no longer than the link in them is good: see ``MailRules/lifetime(of:)``.
    static let kindsWithLink: Self = """
        ('verify_address', 'address_changed', 'new_device', 'sign_up', 'sign_in_link', 'password_reset',
        'link_address')
        """

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

    fileprivate static let withdrawMails: Self = """
        DELETE FROM mails WHERE account_id = ?1 AND kind = ?2 AND leased_until <= ?3
        """
    fileprivate static let holdRelayMails: Self = """
        UPDATE mails SET state = 'held', next_attempt_at = ?2, failure = ?3
        WHERE account_id = ?1 AND state <> 'parked' AND deletion_hash IS NULL AND \(isOfIdentity("?4"))
            AND \(isForwardingOff)
        """
    fileprivate static let withdrawMailsTo: Self = """
        DELETE FROM mails
        WHERE account_id = ?1 AND recipient_hash = ?2 AND leased_until <= ?3 AND kind <> 'address_changed'
        """
    fileprivate static let releaseRelayMails: Self = """
        UPDATE mails SET state = 'waiting', waiting_since = \(firstTimeInQueue(from: "?2", since: "?4", day: "?5")),
            next_attempt_at = \(firstTimeInQueue(from: "?2", since: "?4", day: "?5"))
        WHERE account_id = ?1 AND state = 'held' AND is_relay = ?3 AND deletion_hash IS NULL AND \(isOfIdentity("?6"))
        """
    fileprivate static let withdrawRelayMails: Self = """
        DELETE FROM mails WHERE identity_id = ?1 AND leased_until <= ?2
        """
    /// Whether a mail goes to the identity's relay address, or may go there: a former version named no identity.
    private static func isOfIdentity(_ identity: Self) -> Self { "coalesce(identity_id, \(identity)) = \(identity)" }
    fileprivate static let releaseMailOfDeletion: Self = """
        UPDATE mails SET state = 'waiting', deletion_hash = NULL, waiting_since = ?2, next_attempt_at = ?2, expires_at = ?3
        WHERE deletion_hash = ?1
            AND EXISTS (SELECT d.handle_hash FROM deletions d WHERE d.handle_hash = ?1 AND d.finished_at IS NOT NULL)
        """
    fileprivate static let withdrawMailOfDeletion: Self = "DELETE FROM mails WHERE deletion_hash = ?1"
    /// Whether a mail goes to the relay address of an identity, and Apple has said that it forwards no mail there.
    ///
    /// A mail without an identity goes to a contact address, or was written by a former version. The latter counts if Apple
    /// forwards to no identity of the account. An account that has a contact address gets no mail at Apple's.
    static let isForwardingOff: Self = """
        (mails.is_relay = TRUE AND CASE WHEN mails.identity_id IS NOT NULL
            THEN EXISTS (SELECT i.id FROM identities i WHERE i.id = mails.identity_id AND i.forwarding_on = FALSE)
            ELSE mails.kind <> 'verify_address'
                AND NOT EXISTS (SELECT a.id FROM accounts a
                    WHERE a.id = mails.account_id AND a.contact_email IS NOT NULL)
                AND coalesce((
                    SELECT max(CASE WHEN i.forwarding_on = FALSE THEN 0 ELSE 1 END) FROM identities i
                    WHERE i.account_id = mails.account_id AND i.is_private_email = TRUE AND i.removed_at IS NULL
                        AND i.access_ended_at IS NULL), 1) = 0 END)
        """
}
