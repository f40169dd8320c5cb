import AccountDatabase
import AppleIDTypes

extension SQLConnection {
    /// Changes the contact address that counts, and writes to the former one with a link that takes the change back; if
    /// there was none, to Apple's address. For a transaction that has raised the account's revision.
    /// - Parameters:
    ///   - account: as it was before.
    ///   - address: nil removes the contact address.
    ///   - origin: who asked for the change, and when.
    func replaceContact(
        of account: Account, with address: String?, _ origin: ContactChangeOrigin, _ step: ContactStep
    ) throws {
        if step.mail.writer.isConfigured, let former = try mailRecipient(of: account.id) {
            try noteContactChange(
                of: account.id, to: address, origin, madeIn: step.session, at: step.at, order: step.at, tell: former,
                step.mail)
        }
        try execute(
            .setContact,
            [
                .id(account.id), .text(orNull: address), address == nil ? .null : .time(step.at),
                .text(orNull: EmailForm.besides(address)),
            ])
        try appendProfileChange(.contactEmail, of: account.id, at: step.at, by: step.actor)
    }

    /// Keeps the contact address that counts before it changes, and writes to the address that has got the account's mails,
    /// with a link that takes the change back. For a service that sends mail.
    /// - Parameters:
    ///   - session: the live session that makes the change.
    ///   - order: see ``ContactChange/order``.
    func noteContactChange(
        of account: AccountID, to address: String?, _ origin: ContactChangeOrigin, madeIn session: SessionID?,
        at moment: Timestamp, order: Timestamp, tell former: MailRecipient, _ mail: ContactMail
    ) throws {
        try execute(
            .noteContactChange,
            [
                .hash(mail.secret.hash), .id(account), .time(origin.askedAt), .time(order),
                .time(moment + Profiles.takeBackLifetime), .id(orNull: origin.session), .id(orNull: session),
            ])
        try enqueue(mail.addressChanged(to: address, tell: former, for: account, at: moment))
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
        try replaceContact(of: account, with: nil, ContactChangeOrigin(askedAt: step.at, session: step.session), step)
        try withdrawMails(toFormer: account.contactEmail, of: account.id, step)
    }

    /// Takes mails to a former contact address out of the queue, unless mails to the account still go there. For a
    /// transaction that has changed the address.
    func withdrawMails(toFormer address: String?, of account: AccountID, _ step: ContactStep) throws {
        guard let address else { return }
        let hashes = step.mail.writer.recipientHashes(of: address)
        if let recipient = try mailRecipient(of: account)?.address,
            step.mail.writer.recipientHashes(of: recipient) == hashes
        {
            return
        }
        for hash in hashes { try withdrawMails(to: hash, of: account, at: step.at) }
    }
}

extension SQLStatement {
    /// Sets the contact address that counts. None waits then.
    static let setContact: Self = """
        UPDATE accounts SET contact_email = ?2, contact_email_verified_at = ?3, contact_form = ?4, \(noPending)
        WHERE id = ?1
        """
    /// Keeps the contact address that counts, before it changes.
    fileprivate static let noteContactChange: Self = """
        INSERT INTO contact_changes (hash, account_id, former_email, former_verified_at, asked_at, changed_at,
            expires_at, asked_session_id, changed_session_id)
        SELECT ?1, id, contact_email, contact_email_verified_at, ?3, ?4, ?5, ?6, ?7 FROM accounts WHERE id = ?2
        """
    fileprivate static let forgetFormerContacts: Self = """
        UPDATE contact_changes SET former_email = NULL, former_verified_at = NULL
        WHERE account_id = ?1 AND former_email IS NOT NULL
        """
}
