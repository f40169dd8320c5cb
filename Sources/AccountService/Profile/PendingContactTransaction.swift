import AccountDatabase
import AppleIDTypes

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
    func pendingContact(_ secret: LinkSecret, at moment: Timestamp) async throws -> PendingContact? {
        try await read { try $0.pendingContact(secret, at: moment) }
    }

    /// Confirms a contact address with the link that was sent to it.
    func confirmContact(_ secret: LinkSecret, _ step: ContactStep, in session: SessionID) async throws -> Account {
        try await write { connection in
            let account = try connection.lockedSession(session, at: step.at).account
            guard let waiting = try connection.pendingContact(secret, at: step.at) else {
                throw AccountError.linkUnknown
            }
            guard waiting.accountID == account.id else {
                throw AccountError(.linkOfAnotherAccount, "this link belongs to another account than the session")
            }
            guard try !connection.lacksConsent(of: account.id, to: .contactEmail) else {
                throw AccountError(
                    lacking: Consent.Requirement(purposes: [.contactEmail], textVersion: step.currentText))
            }
            try connection.replaceContact(
                of: account, with: waiting.address,
                ContactChangeOrigin(askedAt: waiting.askedAt, session: waiting.sessionID),
                step)
            try connection.tellOfTwoAccounts(step.twoAccountsMail, address: waiting.address, of: account.id)
            return try connection.account(of: session)
        }
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
                .id(account.id), .text(address), .hash(step.mail.secret.hash), .time(step.at),
                .time(step.at + Profiles.pendingLifetime), .id(orNull: step.session),
            ])
        try append(AuditEntry(.contactEmailRequested, at: step.at, by: step.actor, account: account.id))
        try enqueue(step.mail.verifyAddress(address, for: account.id, at: step.at))
    }

    /// Calls off the contact address that waits, if one does.
    func cancelPendingContact(of account: Account, at moment: Timestamp) throws {
        guard account.pendingContactEmail != nil else { return }
        try cancelPendingContact(of: account.id, at: moment)
    }

    /// Calls off the contact address that waits, whether one does or not. For a transaction that has raised the
    /// account's revision.
    func cancelPendingContact(of account: AccountID, at moment: Timestamp) throws {
        try execute(.cancelPendingContact, [.id(account)])
        try withdrawMails(.verifyAddress, of: account, at: moment)
    }

    /// Calls off the contact address that waits, unless this session has asked for it. For a transaction that has
    /// raised the account's revision.
    ///
    /// A browser that has proven its password has a new session, so an address that its person asked for before goes,
    /// too. They ask for it again. To keep it would take a session for another's.
    func cancelPendingContact(
        of account: AccountID, unlessAskedIn session: SessionID, at moment: Timestamp
    ) throws {
        guard try execute(.cancelPendingContactOfOther, [.id(account), .id(session)]) > 0 else { return }
        try withdrawMails(.verifyAddress, of: account, at: moment)
    }

    fileprivate func pendingContact(_ secret: LinkSecret, at moment: Timestamp) throws -> PendingContact? {
        try first(.pendingOfLink, [.hash(secret.hash), .time(moment)]) { try PendingContact(&$0) }
    }

    /// Forgets contact addresses whose link was not opened in time.
    /// - Returns: how many there were.
    func sweepPendingContacts(at moment: Timestamp, limit: Int64) throws -> Int {
        let count = try execute(.sweepPendingContacts, [.time(moment), .int64(limit)])
        if count > 0 { eraseRemoved() }
        return count
    }
}

extension PendingContact {
    fileprivate init(_ columns: inout SQLColumns) throws {
        try self.init(
            accountID: columns.word(), address: columns.text(), askedAt: columns.time(), expiresAt: columns.time(),
            sessionID: columns.word())
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
    static let noPending: Self = """
        pending_contact_email = NULL, pending_contact_hash = NULL, pending_contact_asked_at = NULL,
        pending_contact_expires_at = NULL, pending_contact_session_id = NULL
        """
    fileprivate static let cancelPendingContact: Self = "UPDATE accounts SET \(noPending) WHERE id = ?1"
    fileprivate static let cancelPendingContactOfOther: Self = """
        UPDATE accounts SET \(noPending)
        WHERE id = ?1 AND pending_contact_email IS NOT NULL
            AND (pending_contact_session_id IS NULL OR pending_contact_session_id <> ?2)
        """
    fileprivate static let sweepPendingContacts: Self = """
        UPDATE accounts SET \(noPending) WHERE pending_contact_expires_at <= ?1 AND id IN
            (SELECT id FROM accounts WHERE pending_contact_expires_at <= ?1
            ORDER BY pending_contact_expires_at LIMIT ?2)
        """
}
