import AccountDatabase

/// The limit of one mail of a kind a day to an address. It holds unless somebody's act has asked for the mail.
extension SQLStatement {
    /// The kinds that answer somebody's act. They are free of the limit: the owner of an address hears at once of each way in
    /// that is added to an account, and of each act that can't be undone.
    static let answeringKinds: Self = """
        ('verify_address', 'address_changed', 'test', 'sign_up', 'sign_in_link', 'password_reset', 'account_exists',
        'password_changed', 'password_off', 'upgraded', 'linked', 'unlinked', 'merged', 'deletion_begun',
        'deletion_done', 'link_address')
        """

    /// The mails `s` of a kind that went to an address after a time, from `FROM` on.
    static func sentMails(_ kind: Self, to recipientHash: Self, since: Self) -> Self {
        "FROM mails_sent s WHERE s.recipient_hash = \(recipientHash) AND s.kind = \(kind) AND s.sent_at > \(since)"
    }

    /// The first time at which the limit lets a mail go: a day after the last mail of the kind to the address, but not
    /// before another time.
    /// - Parameters:
    ///   - time: The time before which the mail doesn't go anyway.
    ///   - since: A day before now.
    ///   - day: The length of a day.
    static func firstTime(
        from time: Self, for kind: Self, to recipientHash: Self, since: Self, day: Self
    ) -> Self {
        """
        CASE WHEN \(kind) IN \(answeringKinds) THEN \(time) ELSE coalesce(
            (SELECT max(s.sent_at) + \(day) \(sentMails(kind, to: recipientHash, since: since))
                AND s.sent_at + \(day) > \(time)), \(time)) END
        """
    }

    /// ``firstTime(from:for:to:since:day:)`` for a mail in the queue that an operator or Apple makes due.
    static func firstTimeInQueue(from now: Self, since: Self, day: Self) -> Self {
        firstTime(from: now, for: "mails.kind", to: "mails.recipient_hash", since: since, day: day)
    }
}
