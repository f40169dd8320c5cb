import AccountDatabase
import AppleIDTypes

/// All that the removal of an identity from an account writes, decided beforehand.
struct UnlinkRecord: Sendable {
    var at: Timestamp
    /// The live session that asks. Its account loses the identity.
    var session: SessionID
    var identity: IdentityID
    /// Whether an email identity is a way in.
    var takesPasswords: Bool
    var mailID: MailID
    var mail: MailWriter
    var caller: Caller
}

extension AccountTransactions {
    /// Removes an identity from the account of a session, with what it opened and what Apple gave for it.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/sessionEnded`` unless the session lives,
    /// ``AccountError/Code/identityUnknown`` and ``AccountError/Code/lastWayIn``.
    func unlink(_ record: UnlinkRecord) async throws -> Unlinked {
        try await write { try UnlinkTransaction(record: record, connection: $0).run() }
    }
}

/// The transaction of one removal, step by step.
private struct UnlinkTransaction {
    let record: UnlinkRecord
    let connection: any SQLConnection

    private var at: Timestamp { record.at }
    private var actor: AuditActor { .account(through: record.session, from: record.caller) }

    func run() throws -> Unlinked {
        let person = try connection.first(.personOfAccount, [.id(record.identity), .id(record.session)]) { columns in
            try TokenHash.person(team: columns.word(), subject: Subject(columns.text()))
        }
        if let person { try connection.lock(person: person) }
        let session = try connection.lockedSession(record.session, at: at).session
        let account = session.accountID
        let identities = try connection.linkedIdentities(of: account)
        guard let person, let removed = identities.first(where: { $0.id == record.identity }) else {
            throw AccountError.identityUnknown
        }
        let left = identities.filter { $0.id != removed.id }
        guard left.contains(where: { !$0.isByEmail || record.takesPasswords }) else { throw AccountError.lastWayIn }
        // The removed address may be the one that the account's mails go to.
        let recipient = try connection.mailRecipient(of: account)
        let needsManualRemoval = try remove(removed, person)
        try connection.endSessions(
            .endSessionsOfIdentity, .id(removed.id), SessionEnding(at: at, reason: .unlinked, by: actor))
        try connection.append(
            AuditEntry(
                .identityUnlinked, at: at, by: actor, account: account, subject: removed.id.rawValue,
                detail: removed.provider))
        try connection.appendEvent(.unlinked, of: account, at: at, about: removed.id.rawValue)
        try connection.enqueue(
            record.mail.aboutWayIn(
                .unlinked, id: record.mailID, to: recipient, of: account, provider: removed.provider,
                address: removed.address, from: record.caller, at: at))
        return Unlinked(
            identities: left, endsSession: session.identityID == removed.id, needsManualRemoval: needsManualRemoval)
    }

    /// - Returns: whether the person has to remove the app at Apple by hand.
    private func remove(_ removed: LinkedIdentity, _ person: TokenHash) throws -> Bool {
        guard !removed.isByEmail else {
            try connection.removeEmailIdentity(removed.id, forms: record.mail.forms, at: at)
            return false
        }
        let count = try connection.orderRevocation(of: removed.id, person, at: at)
        let needsManualRemoval = try count == 0 && connection.mayBeListedWithNothingOpen(removed.id, person)
        try connection.removeIdentity(removed.id, at: at)
        return needsManualRemoval
    }
}

extension SQLStatement {
    /// The person of an identity of the account that a session opens.
    fileprivate static let personOfAccount: Self = """
        SELECT i.team, i.subject FROM sessions s JOIN identities i ON i.account_id = s.account_id
        WHERE i.id = ?1 AND s.id = ?2 AND i.removed_at IS NULL
        """
}
