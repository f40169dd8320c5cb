import AccountDatabase
import AppleIDTypes

extension AccountTransactions {
    /// The change that a link takes back; nil for a link that is used or too old.
    func contactChange(_ secret: LinkSecret, at moment: Timestamp) async throws -> ContactChange? {
        try await read { try $0.contactChange(secret, at: moment) }
    }

    /// Takes a change of the contact address back.
    ///
    /// Throws ``AccountError/Code/linkUnknown``, and writes nothing, for a link that is used or too old.
    func takeBack(_ secret: LinkSecret, _ step: ContactStep) async throws -> ContactChange {
        try await lockingPeople { try $0.takeBack(secret, step) }
    }
}

extension SQLConnection {
    fileprivate func contactChange(_ secret: LinkSecret, at moment: Timestamp) throws -> ContactChange? {
        let change = try first(.contactChange, [.hash(secret.hash), .time(moment)]) { try ContactChange(&$0) }
        return try change.map { try asUndone($0) }
    }

    /// The change as its link undoes it.
    ///
    /// A merge since the change may have brought the change to the account, or a hidden address. The link then brings no
    /// address back beside a hidden one, unless the person had agreed to a contact address before the change. Consents
    /// from after that are withdrawn with the change. A hidden address that a link or an upgrade has brought since doesn't
    /// matter: the account had the former address before, and gets it back.
    private func asUndone(_ change: ContactChange) throws -> ContactChange {
        let account = try SQLValue.id(change.accountID)
        guard change.formerAddress != nil, try identities(of: change.accountID).contains(where: \.hidesAddress),
            try returnsRow(.mergeSince, [account, .time(change.order)]),
            try !returnsRow(.consentBefore, [account, .text(Consent.Purpose.contactEmail), .time(change.askedAt)])
        else { return change }
        var undone = change
        (undone.formerAddress, undone.formerVerifiedAt) = (nil, nil)
        return undone
    }

    /// The changes of an account's contact address that can be taken back, or could until lately, the newest first.
    func contactChanges(of account: AccountID) throws -> [ContactChange] {
        try query(.contactChangesOfAccount, [.id(account)]) { try ContactChange(&$0) }
    }

    fileprivate func takeBack(_ secret: LinkSecret, _ step: ContactStep) throws -> ContactChange {
        // Looked at first, because the account is locked before its rows; whoever deletes the row has taken it back.
        guard let account = try contactChange(secret, at: step.at)?.accountID else { throw AccountError.linkUnknown }
        guard try lock(account: account) else {
            // A merge may have moved the change to another account while this transaction waited. Then it runs again.
            guard try contactChange(secret, at: step.at) == nil else { throw PersonNotLocked() }
            throw AccountError.linkUnknown
        }
        let used = try first(
            .useContactChange, [.hash(secret.hash), .time(step.at)], decode: { try ContactChange(&$0) })
        guard let change = try used.map({ try asUndone($0) }) else { throw AccountError.linkUnknown }
        // A take-back link of a later change would bring back an address that came after the one of this link, so it stops
        // working. The attacker may have made that change too.
        try execute(.removeLaterChanges, [.id(account), .time(change.order)])
        let undone = try contactEmail(of: account)
        try execute(
            .setContact,
            [
                .id(account), .text(orNull: change.formerAddress),
                change.formerVerifiedAt.map(SQLValue.time) ?? .null,
                .text(orNull: EmailForm.besides(change.formerAddress)),
            ])
        try withdrawMails(.verifyAddress, of: account, at: step.at)
        try withdrawMails(toFormer: undone, of: account, step)
        try withdrawConsents(
            to: .contactEmail, of: account, since: change.askedAt, at: step.at, by: step.actor)
        try append(AuditEntry(.contactEmailTakenBack, at: step.at, by: step.actor, account: account))
        try appendEvent(
            .profileChanged, of: account, at: step.at, reason: ProfileMember.contactEmail.rawValue)
        let ending = SessionEnding(at: step.at, reason: .contactEmailTakenBack, by: step.actor)
        let since: [SQLValue] = try [.time(change.askedAt), .id(change.askedBy), .id(change.changedBy)]
        try endSessions(.endSessionsOpenedSince, .id(account), ending, since)
        try disownEndedSessions(.disownSessionsOpenedSince, .id(account), ending, since, of: account)
        eraseRemoved()
        return change
    }

    /// Forgets changes that can be taken back no more.
    /// - Returns: how many there were.
    func sweepContactChanges(at moment: Timestamp, limit: Int64) throws -> Int {
        let count = try execute(.sweepContactChanges, [.time(moment), .int64(limit)])
        if count > 0 { eraseRemoved() }
        return count
    }
}

extension ContactChange {
    fileprivate init(_ columns: inout SQLColumns) throws {
        let account = try columns.word(AccountID.self)
        let (former, verifiedAt) = try (columns.optionalText(), columns.optionalTime())
        let (askedAt, order) = try (columns.time(), columns.time())
        try self.init(
            accountID: account, formerAddress: former, formerVerifiedAt: verifiedAt, askedAt: askedAt,
            // No change is made before it is asked for.
            changedAt: max(askedAt, order), expiresAt: columns.time(), askedBy: columns.word(),
            changedBy: columns.word(), order: order)
    }
}

extension SQLStatement {
    private static let changeColumns: Self = """
        account_id, former_email, former_verified_at, asked_at, changed_at, expires_at, asked_session_id,
        changed_session_id
        """
    fileprivate static let contactChange: Self = """
        SELECT \(changeColumns) FROM contact_changes WHERE hash = ?1 AND expires_at > ?2
        """
    fileprivate static let mergeSince: Self = """
        SELECT from_id FROM merged_accounts WHERE into_id = ?1 AND merged_at >= ?2 LIMIT 1
        """
    fileprivate static let consentBefore: Self = """
        SELECT id FROM consents
        WHERE account_id = ?1 AND purpose = ?2 AND given_at < ?3 AND withdrawn_at IS NULL LIMIT 1
        """
    fileprivate static let contactChangesOfAccount: Self = """
        SELECT \(changeColumns) FROM contact_changes WHERE account_id = ?1 ORDER BY changed_at DESC, hash
        """
    fileprivate static let useContactChange: Self = """
        DELETE FROM contact_changes WHERE hash = ?1 AND expires_at > ?2 RETURNING \(changeColumns)
        """
    fileprivate static let removeLaterChanges: Self = """
        DELETE FROM contact_changes WHERE account_id = ?1 AND changed_at >= ?2
        """
    /// The sessions that were opened after the request for the change, the one that asked, and the one that changed the
    /// address.
    fileprivate static let endSessionsOpenedSince: Self = """
        UPDATE sessions SET ended_at = ?2, end_reason = ?3
        WHERE account_id = ?1 AND ended_at IS NULL AND expires_at > ?2 AND (created_at > ?4 OR id IN (?5, ?6))
        RETURNING id, account_id
        """
    /// Those among them that had ended before.
    fileprivate static let disownSessionsOpenedSince: Self = """
        UPDATE sessions SET end_reason = ?2
        WHERE account_id = ?1 AND ended_at IS NOT NULL AND (created_at > ?3 OR id IN (?4, ?5))
            AND end_reason NOT IN ('not_me', 'contact_email_taken_back')
        RETURNING id
        """
    fileprivate static let sweepContactChanges: Self = """
        DELETE FROM contact_changes WHERE hash IN
            (SELECT hash FROM contact_changes WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)
        """
}
