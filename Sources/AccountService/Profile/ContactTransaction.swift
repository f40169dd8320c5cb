import AccountDatabase
import AppleID
import AppleIDTypes
import Foundation

/// A link that a transaction may send to somebody, made beforehand.
///
/// Which address gets a mail shows in the transaction alone. A transaction that runs again makes the same mail.
struct ContactLink: Sendable {
    let token: ContactToken
    let mailID: MailID
    /// The language of the mail (BCP 47); nil takes the default.
    let language: String?
    let writer: MailWriter

    /// The mail that asks the owner of an address to confirm it.
    func verification(of address: String, for account: AccountID, at moment: Timestamp) throws -> QueuedMail? {
        try writer.mail(
            .verifyAddress, id: mailID, to: recipient(MailRecipient(typed: address)), of: account,
            values: ["address": address, "link": writer.link("/contact/\(token.rawValue)")], at: moment)
    }

    /// The mail about a changed contact address.
    /// - Parameter address: the new one; nil where it was removed.
    func notice(
        of address: String?, to former: MailRecipient, for account: AccountID, at moment: Timestamp
    ) throws -> QueuedMail? {
        var values = [
            "happenedAt": moment.date.formatted(.iso8601),
            "link": writer.link("/contact/take-back/\(token.rawValue)"),
        ]
        values["address"] = address
        return try writer.mail(
            .addressChanged, id: mailID, to: recipient(former), of: account, values: values, at: moment)
    }

    private func recipient(_ recipient: MailRecipient) -> MailRecipient {
        var recipient = recipient
        recipient.language = language
        return recipient
    }
}

/// Who asked for a change of the contact address, and when.
struct ContactWish: Sendable {
    var askedAt: Timestamp
    var session: SessionID?
}

/// A change of the contact address, or what leads to one, by whoever has a session or a link.
struct ContactStep: Sendable {
    var at: Timestamp
    /// The live session that acts, in which case its account is the one that changes; nil for a link that takes back.
    var session: SessionID?
    /// For the audit.
    var caller: Caller
    /// What the step may send.
    var link: ContactLink
    /// The version of the consent text that people are asked to agree to.
    var currentText: String

    var actor: AuditActor { .account(through: session, from: caller) }
}

extension ContactStep {
    /// Makes a step of this moment.
    init(
        in session: SessionID?, from caller: Caller, writer: MailWriter, currentText: String,
        _ environment: AppleIDEnvironment
    ) {
        let moment = Timestamp(environment.now())
        self.init(
            at: moment, session: session, caller: caller,
            link: ContactLink(
                token: ContactToken(randomness: environment.randomBytes(32)), mailID: writer.newID(at: moment),
                language: caller.language, writer: writer),
            currentText: currentText)
    }
}

extension AccountTransactions {
    /// Sends the contact address that waits another link.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/sessionEnded`` unless the session lives,
    /// ``AccountError/Code/linkUnknown`` when no address waits, and ``AccountError/Code/rateLimited``.
    func resendContactLink(_ step: ContactStep, in session: SessionID) async throws -> Account {
        try await write { connection in
            let account = try connection.lockedSession(session, at: step.at).account
            let waiting = try connection.first(.pendingOfAccount, [.id(account.id)]) { try PendingContact(&$0) }
            guard let waiting, waiting.expiresAt > step.at else {
                throw AccountError(.linkUnknown, "no contact address waits to be confirmed")
            }
            try connection.requestContact(waiting.address, of: account, step)
            return try connection.account(of: session)
        }
    }

    /// The contact address that a link confirms; nil for a link that is used or too old.
    func pendingContact(_ token: ContactToken, at moment: Timestamp) async throws -> PendingContact? {
        try await read { try $0.pendingContact(token, at: moment) }
    }

    /// Confirms a contact address with the link that was sent to it.
    func confirmContact(_ token: ContactToken, _ step: ContactStep, in session: SessionID) async throws -> Account {
        try await write { connection in
            let account = try connection.lockedSession(session, at: step.at).account
            guard let waiting = try connection.pendingContact(token, at: step.at) else {
                throw AccountError.linkUnknown
            }
            guard waiting.accountID == account.id else {
                throw AccountError(.linkOfAnotherAccount, "this link belongs to another account than the session")
            }
            guard try connection.hasConsent(of: account.id, to: .contactEmail) else {
                throw AccountError(
                    lacking: Consent.Requirement(purposes: [.contactEmail], textVersion: step.currentText))
            }
            try connection.changeContact(
                of: account, to: waiting.address, ContactWish(askedAt: waiting.askedAt, session: waiting.sessionID),
                step)
            return try connection.account(of: session)
        }
    }

    /// The change that a link takes back; nil for a link that is used or too old.
    func contactChange(_ token: ContactToken, at moment: Timestamp) async throws -> ContactChange? {
        try await read { try $0.contactChange(token, at: moment) }
    }

    /// Takes a change of the contact address back.
    ///
    /// Throws ``AccountError/Code/linkUnknown``, and writes nothing, for a link that is used or too old.
    func takeBack(_ token: ContactToken, _ step: ContactStep) async throws -> ContactChange {
        try await write { try $0.takeBack(token, step) }
    }
}

extension AccountError {
    static var linkUnknown: Self {
        AccountError(.linkUnknown, "this link was used before, is too old, or is not complete")
    }
}

extension SQLConnection {
    /// Lets a new contact address wait until its link is opened, in the place of one that waits, and sends it the link.
    /// For a transaction that has raised the account's revision.
    func requestContact(_ address: String, of account: Account, _ step: ContactStep) throws {
        try execute(
            .requestContact,
            [
                .id(account.id), .text(address), .hash(step.link.token.hash), .time(step.at),
                .time(step.at + Profiles.pendingLifetime), .id(orNull: step.session),
            ])
        try append(AuditEntry(.contactEmailRequested, at: step.at, by: step.actor, account: account.id))
        try enqueue(step.link.verification(of: address, for: account.id, at: step.at))
    }

    /// Calls off the contact address that waits, if one does.
    func cancelPendingContact(of account: Account, at moment: Timestamp) throws {
        guard account.pendingContactEmail != nil else { return }
        try execute(.cancelPendingContact, [.id(account.id)])
        try withdrawMails(.verifyAddress, of: account.id, at: moment)
    }

    /// Changes the contact address that counts, and writes to the former one with a link that takes the change back; if
    /// there was none, to Apple's address. For a transaction that has raised the account's revision.
    /// - Parameters:
    ///   - account: as it was before.
    ///   - address: nil removes the contact address.
    ///   - wish: who asked for the change, and when.
    func changeContact(
        of account: Account, to address: String?, _ wish: ContactWish, _ step: ContactStep
    ) throws {
        if step.link.writer.isConfigured, let former = try mailRecipient(of: account.id) {
            try execute(
                .noteContactChange,
                [
                    .hash(step.link.token.hash), .id(account.id), .time(wish.askedAt), .time(step.at),
                    .time(step.at + Profiles.takeBackLifetime), .id(orNull: wish.session), .id(orNull: step.session),
                ])
            try enqueue(step.link.notice(of: address, to: former, for: account.id, at: step.at))
        }
        try execute(
            .setContact, [.id(account.id), .text(orNull: address), address == nil ? .null : .time(step.at)])
        try appendProfileChange(.contactEmail, of: account.id, at: step.at, by: step.actor)
    }

    /// Removes the contact address, the one that waits for its link, and the former ones that a change could bring
    /// back.
    ///
    /// The address that counted is told, and the links of former changes stay good: whoever withdraws a consent may be
    /// somebody else than its person. Such a link brings no address back, but it ends the sessions and removes what was
    /// set since.
    func forgetContact(of account: Account, _ step: ContactStep) throws {
        try removeContact(of: account, step)
        try execute(.forgetFormerContacts, [.id(account.id)])
    }

    /// Removes the contact address and the one that waits for its link.
    func removeContact(of account: Account, _ step: ContactStep) throws {
        try cancelPendingContact(of: account, at: step.at)
        guard account.contactEmail != nil else { return }
        try changeContact(of: account, to: nil, ContactWish(askedAt: step.at, session: step.session), step)
        try withdrawMails(toFormer: account.contactEmail, of: account.id, step)
    }

    /// Takes mails to a former contact address out of the queue, unless mails to the account still go there. For a
    /// transaction that has changed the address.
    private func withdrawMails(toFormer address: String?, of account: AccountID, _ step: ContactStep) throws {
        guard let address else { return }
        let hashes = step.link.writer.recipientHashes(of: address)
        if let recipient = try mailRecipient(of: account)?.address,
            step.link.writer.recipientHashes(of: recipient) == hashes
        {
            return
        }
        for hash in hashes { try withdrawMails(to: hash, of: account, at: step.at) }
    }

    fileprivate func pendingContact(_ token: ContactToken, at moment: Timestamp) throws -> PendingContact? {
        try first(.pendingOfLink, [.hash(token.hash), .time(moment)]) { try PendingContact(&$0) }
    }

    fileprivate func contactChange(_ token: ContactToken, at moment: Timestamp) throws -> ContactChange? {
        try first(.contactChange, [.hash(token.hash), .time(moment)]) { try ContactChange(&$0) }
    }

    /// The changes of an account's contact address that can be taken back, or could until lately, the newest first.
    func contactChanges(of account: AccountID) throws -> [ContactChange] {
        try query(.contactChangesOfAccount, [.id(account)]) { try ContactChange(&$0) }
    }

    fileprivate func takeBack(_ token: ContactToken, _ step: ContactStep) throws -> ContactChange {
        // Looked at first, because the account is locked before its rows; whoever deletes the row has taken it back.
        guard let account = try contactChange(token, at: step.at)?.accountID,
            try execute(.raiseRevision, [.id(account)]) > 0,
            let change = try first(
                .useContactChange, [.hash(token.hash), .time(step.at)],
                decode: { columns in
                    try ContactChange(&columns)
                })
        else { throw AccountError.linkUnknown }
        // The same attacker may have made a later change, so its take-back link must stop working.
        try execute(.removeLaterChanges, [.id(account), .time(change.changedAt)])
        let undone = try contactEmail(of: account)
        try execute(
            .setContact,
            [
                .id(account), .text(orNull: change.formerAddress),
                change.formerVerifiedAt.map(SQLValue.time) ?? .null,
            ])
        try withdrawMails(.verifyAddress, of: account, at: step.at)
        try withdrawMails(toFormer: undone, of: account, step)
        try withdrawConsents(
            to: .contactEmail, of: account, since: change.askedAt, at: step.at, by: step.actor)
        try append(AuditEntry(.contactEmailTakenBack, at: step.at, by: step.actor, account: account))
        try appendEvent(
            .profileChanged, of: account, at: step.at, reason: ProfileMember.contactEmail.rawValue)
        try endSessions(
            .endSessionsOpenedSince, .id(account),
            SessionEnding(at: step.at, reason: .contactEmailTakenBack, by: step.actor),
            [.time(change.askedAt), .id(change.askedBy), .id(change.changedBy)])
        eraseRemoved()
        return change
    }

    /// Forgets contact addresses whose link was not opened in time, and changes that can be taken back no more.
    /// - Returns: how many rows were touched.
    func sweepContacts(at moment: Timestamp, limit: Int64) throws -> Int {
        let pending = try execute(.sweepPendingContacts, [.time(moment), .int64(limit)])
        let changes = try execute(.sweepContactChanges, [.time(moment), .int64(limit)])
        if pending + changes > 0 { eraseRemoved() }
        return pending + changes
    }
}

extension PendingContact {
    fileprivate init(_ columns: inout SQLColumns) throws {
        try self.init(
            accountID: columns.word(), address: columns.text(), askedAt: columns.time(), expiresAt: columns.time(),
            sessionID: columns.word())
    }
}

extension ContactChange {
    fileprivate init(_ columns: inout SQLColumns) throws {
        try self.init(
            accountID: columns.word(), formerAddress: columns.optionalText(),
            formerVerifiedAt: columns.optionalTime(), askedAt: columns.time(), changedAt: columns.time(),
            expiresAt: columns.time(), askedBy: columns.word(), changedBy: columns.word())
    }
}

extension SQLStatement {
    /// Another link for the address that waits already keeps the first request's time: if the change is taken back, the
    /// sessions that were opened since then end.
    fileprivate static let requestContact: Self = """
        UPDATE accounts SET pending_contact_email = ?2, pending_contact_hash = ?3, pending_contact_expires_at = ?5,
            pending_contact_asked_at = CASE WHEN \(isWanted) THEN pending_contact_asked_at ELSE ?4 END,
            pending_contact_session_id = CASE WHEN \(isWanted) THEN pending_contact_session_id ELSE ?6 END
        WHERE id = ?1
        """
    private static let isWanted: Self = "pending_contact_email = ?2 AND pending_contact_expires_at > ?4"
    private static let pendingColumns: Self = """
        id, pending_contact_email, pending_contact_asked_at, pending_contact_expires_at, pending_contact_session_id
        """
    fileprivate static let pendingOfAccount: Self = """
        SELECT \(pendingColumns) FROM accounts WHERE id = ?1 AND pending_contact_email IS NOT NULL
        """
    fileprivate static let pendingOfLink: Self = """
        SELECT \(pendingColumns) FROM accounts WHERE pending_contact_hash = ?1 AND pending_contact_expires_at > ?2
        """
    private static let noPending: Self = """
        pending_contact_email = NULL, pending_contact_hash = NULL, pending_contact_asked_at = NULL,
        pending_contact_expires_at = NULL, pending_contact_session_id = NULL
        """
    fileprivate static let cancelPendingContact: Self = "UPDATE accounts SET \(noPending) WHERE id = ?1"
    /// Sets the contact address that counts. None waits then.
    fileprivate static let setContact: Self = """
        UPDATE accounts SET contact_email = ?2, contact_email_verified_at = ?3, \(noPending) WHERE id = ?1
        """
    /// Keeps the contact address that counts, before it changes.
    fileprivate static let noteContactChange: Self = """
        INSERT INTO contact_changes (hash, account_id, former_email, former_verified_at, asked_at, changed_at,
            expires_at, asked_session_id, changed_session_id)
        SELECT ?1, id, contact_email, contact_email_verified_at, ?3, ?4, ?5, ?6, ?7 FROM accounts WHERE id = ?2
        """
    private static let changeColumns: Self = """
        account_id, former_email, former_verified_at, asked_at, changed_at, expires_at, asked_session_id,
        changed_session_id
        """
    fileprivate static let contactChange: Self = """
        SELECT \(changeColumns) FROM contact_changes WHERE hash = ?1 AND expires_at > ?2
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
    fileprivate static let forgetFormerContacts: Self = """
        UPDATE contact_changes SET former_email = NULL, former_verified_at = NULL
        WHERE account_id = ?1 AND former_email IS NOT NULL
        """
    fileprivate static let raiseRevision: Self = "UPDATE accounts SET revision = revision + 1 WHERE id = ?1"
    /// The sessions that were opened after the wish, the one that asked, and the one that changed the address.
    fileprivate static let endSessionsOpenedSince: Self = """
        UPDATE sessions SET ended_at = ?2, end_reason = ?3
        WHERE account_id = ?1 AND ended_at IS NULL AND expires_at > ?2 AND (created_at > ?4 OR id IN (?5, ?6))
        RETURNING id, account_id
        """
    fileprivate static let sweepPendingContacts: Self = """
        UPDATE accounts SET \(noPending) WHERE pending_contact_expires_at <= ?1 AND id IN
            (SELECT id FROM accounts WHERE pending_contact_expires_at <= ?1
            ORDER BY pending_contact_expires_at LIMIT ?2)
        """
    fileprivate static let sweepContactChanges: Self = """
        DELETE FROM contact_changes WHERE hash IN
            (SELECT hash FROM contact_changes WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)
        """
}
