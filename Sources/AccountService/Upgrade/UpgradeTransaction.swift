import AccountDatabase
import AppleID
import AppleIDTypes
import Foundation

/// All that an upgrade to Sign in with Apple writes, decided beforehand.
struct UpgradeRecord: Sendable {
    var at: Timestamp
    /// The live session that asks. Its account is upgraded.
    var session: SessionID
    var proven: ProvenCredential
    /// Whether all other sessions of the account end.
    var endsOthers: Bool
    /// Apple's identity.
    var identity: IdentityID
    var consent: ConsentIntake
    var mailID: MailID
    var mail: MailWriter
    /// Opens a pending profile without any other I/O than a log line. Nil when it does not open.
    var openPendingProfile: @Sendable (PendingProfile) -> OpenedProfile?
    var caller: Caller

    var person: SignInRecord.Person { proven.person }
}

extension AccountTransactions {
    /// Gives the account of a session Apple's identity in the place of its email identity.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/alreadyUsed`` and ``AccountError/Code/tokenTooOld`` like
    /// ``signIn(_:)``, ``AccountError/Code/sessionEnded`` unless the session lives, ``AccountError/Code/notByPassword`` unless
    /// it is of an email identity, ``AccountError/Code/credentialAlreadyInUse``, ``AccountError/Code/consentRequired`` and
    /// ``AccountError/Code/transferNotCompleted``.
    /// - Returns: the session as it is then.
    func upgrade(_ record: UpgradeRecord) async throws -> StoredSession {
        try await write { connection in
            // An email identity loses a session to an upgrade alone, which the account's lock below holds off.
            let email = try connection.first(.personOfSession, [.id(record.session)]) { columns in
                try TokenHash.person(team: columns.word(), subject: Subject(columns.text()))
            }
            return try UpgradeTransaction(record: record, connection: connection).run(lockingAlso: email)
        }
    }

    /// Requires the consent that the upgrade of a session's account needs, as far as can be said before. The
    /// transaction decides.
    ///
    /// Throws ``AccountError/Code/consentRequired``, and ``AccountError/Code/rateLimited`` where such a consent was
    /// withdrawn too often.
    func requireConsent(
        _ given: ConsentGiven?, of person: SignInRecord.Person, in session: Session, currentText: String,
        at moment: Timestamp
    ) async throws {
        try await read { connection in
            _ = try connection.requireConsent(
                given, of: person, inPlaceOf: session.identityID, of: session.accountID,
                contact: connection.contactFacts(of: session.accountID), currentText: currentText, at: moment)
        }
    }

    /// Whether an upgrade of a session's account to an Apple Account that tells its address needs consent.
    func upgradeToToldAddressNeedsConsent(in session: Session, currentText: String) async throws -> Bool {
        try await read { connection in
            try !connection.purposes(
                hidingAddress: false, inPlaceOf: session.identityID, of: session.accountID,
                contact: connection.contactFacts(of: session.accountID), currentText: currentText
            ).isEmpty
        }
    }

    /// Whether a person has an identity.
    func hasIdentity(_ person: SignInRecord.Person) async throws -> Bool {
        try await read { try $0.identity(of: person) != nil }
    }
}

/// The transaction of one upgrade, step by step.
private struct UpgradeTransaction {
    let record: UpgradeRecord
    let connection: any SQLConnection

    private var at: Timestamp { record.at }
    private var actor: AuditActor { .account(through: record.session, from: record.caller) }

    func run(lockingAlso email: TokenHash?) throws -> StoredSession {
        let (person, proven) = (record.person, record.proven)
        let personHash = person.personHash
        try connection.lock(people: [personHash] + (email.map { [$0] } ?? []))
        try connection.markUsed(proven.used, at: at)
        if let code = proven.ownCode { try connection.markOwnCodeUsed(code, at: at) }
        let kept = try connection.takePendingProfile(of: person, at: at, open: record.openPendingProfile)?.name
        let stored = try connection.lockedSession(record.session, at: at)
        let account = stored.account
        guard let former = try connection.emailIdentity(stored.session.identityID) else {
            throw AccountError.notByPassword
        }
        let purposes = try connection.requireConsent(
            record.consent.given, of: person, inPlaceOf: former.id, of: account.id, contact: account.contact,
            currentText: record.consent.currentText, at: at)
        try connection.addIdentity(record.identity, of: proven, to: account.id, at: at)
        if purposes.contains(.linkedIdentity) {
            // The new identity joins by a consent of its own.
            try connection.withdrawLinkConsent(of: former.id, in: account.id, at: at, by: actor)
        } else {
            try connection.keepLinkConsent(of: former.id, for: record.identity)
        }
        try moveSessions(of: former, stored.session)
        try connection.setNameUnlessThere(proven.name ?? kept, of: account)
        try giveConsents(to: purposes, in: stored.session)
        try keepAddress(of: former, account)
        try remove(former)
        try connection.append(
            AuditEntry(.upgraded, at: at, by: actor, account: account.id, subject: record.identity.rawValue))
        try connection.appendEvent(.upgraded, of: account.id, at: at, about: record.identity.rawValue)
        guard let upgraded = try connection.sessionRow(record.session) else {
            throw SQLRowError(column: 0, expected: "the session that was just locked")
        }
        return upgraded.stored
    }

    /// The live sessions of the email identity become Apple's. Others end first, if the person wants that.
    private func moveSessions(of former: EmailIdentity, _ session: Session) throws {
        if record.endsOthers {
            try connection.endSessions(
                of: former.accountID, except: session.id, SessionEnding(at: at, reason: .upgraded, by: actor))
            // The holder of another session may have asked for another contact address.
            try connection.cancelPendingContact(of: former.accountID, unlessAskedIn: session.id, at: at)
        }
        try connection.execute(.moveSessions, [.id(former.id), .id(record.identity)])
    }

    /// The address that signed in becomes the contact address, if there is none and it was proven. That of an imported
    /// person may not be.
    private func keepAddress(of former: EmailIdentity, _ account: Account) throws {
        guard account.contactEmail == nil, account.emailVerified, let address = former.address else { return }
        try connection.execute(
            .keepAsContact,
            [.id(account.id), .text(address), .time(at), .text(orNull: EmailForm.besides(address))])
        try connection.appendProfileChange(.contactEmail, of: account.id, at: at, by: actor)
    }

    /// Records consent to contact data that lack it, and to the identity where that needs a consent of its own. For an
    /// account that has Apple's identity: one without Apple needs no consent to the data that it has.
    private func giveConsents(to purposes: [Consent.Purpose], in session: Session) throws {
        let missing = try connection.missingConsent(
            of: session.accountID, to: purposes.filter { $0 != .linkedIdentity },
            currentText: record.consent.currentText)
        let given = purposes.filter { $0 == .linkedIdentity } + (missing?.purposes ?? [])
        try connection.giveConsents(
            record.consent, to: given, joining: record.identity, in: session, at: at, from: record.caller)
    }

    /// Removes the email identity with its password, its links and its wrong passwords, and tells its address.
    private func remove(_ former: EmailIdentity) throws {
        try connection.removeEmailIdentity(former.id, forms: record.mail.forms, at: at)
        guard let address = former.address else { return }
        var recipient = MailRecipient(typed: address)
        recipient.languages = record.caller.languages
        try connection.enqueue(
            record.mail.mail(
                .upgraded, id: record.mailID, to: recipient, of: former.accountID,
                values: ["address": address, "happenedAt": at.date.formatted(.iso8601)], at: at))
    }
}

extension SQLConnection {
    /// Requires the consent that an account lacks before Apple's identity takes the place of its email identity.
    ///
    /// Throws ``AccountError/Code/consentRequired`` unless the consent is to the current text, and
    /// ``AccountError/Code/rateLimited`` where such a consent was withdrawn too often.
    /// - Parameter contact: the account's contact address and phone number.
    /// - Returns: the purposes to which the person agrees by the upgrade.
    fileprivate func requireConsent(
        _ given: ConsentGiven?, of person: SignInRecord.Person, inPlaceOf former: IdentityID, of account: AccountID,
        contact: ContactFacts, currentText: String, at moment: Timestamp
    ) throws -> [Consent.Purpose] {
        let purposes = try purposes(
            hidingAddress: person.hidesAddress, inPlaceOf: former, of: account, contact: contact,
            currentText: currentText)
        try requireConsent(given, to: purposes, of: account, currentText: currentText, at: moment)
        return purposes
    }

    /// The purposes to which the person has to agree before Apple's identity takes the place of the email identity.
    ///
    /// The address stays in the account, so it comes together with the address that the new identity hides, or with
    /// the one that another identity hides. For the second, a consent to the current text that the person gave before
    /// will do.
    /// - Parameter isHidden: whether Apple hides the address of the new identity.
    fileprivate func purposes(
        hidingAddress isHidden: Bool, inPlaceOf former: IdentityID, of account: AccountID, contact: ContactFacts,
        currentText: String
    ) throws -> [Consent.Purpose] {
        let identities = try identities(of: account)
        var purposes: [Consent.Purpose] = []
        if isHidden {
            // The account keeps the address and its phone number.
            purposes = contact.phone == nil ? [.contactEmail] : [.contactEmail, .phone]
        } else if contact.email == nil, identities.contains(where: \.hidesAddress),
            identities.contains(where: { $0.id == former && $0.email != nil && $0.emailVerified }),
            try !purposesAgreed(of: account, toText: currentText).contains(.contactEmail)
        {
            purposes = [.contactEmail]
        }
        let others = identities.filter { $0.id != former && $0.hidesAddress != isHidden }
        if try needsLinkConsent(hidingAddress: isHidden, inPlaceOf: former, beside: others, of: account) {
            purposes.insert(.linkedIdentity, at: 0)
        }
        return purposes
    }

    /// Whether Apple's identity comes beside one of the other kind, and no consent parts the two yet.
    ///
    /// An identity that tells its address takes the place of another one that does. So it needs no consent of its own
    /// if the email identity joined by consent, or if those that hide did.
    private func needsLinkConsent(
        hidingAddress isHidden: Bool, inPlaceOf former: IdentityID, beside others: [Identity], of account: AccountID
    ) throws -> Bool {
        guard !others.isEmpty else { return false }
        guard !isHidden else { return true }
        let consents = try holdingLinkConsents(of: account)
        return consents[former] == nil && !others.allSatisfy { consents[$0.id] != nil }
    }
}

extension SQLStatement {
    fileprivate static let personOfSession: Self = """
        SELECT i.team, i.subject FROM sessions s JOIN identities i ON i.id = s.identity_id
        WHERE s.id = ?1 AND i.removed_at IS NULL
        """
    fileprivate static let moveSessions: Self = """
        UPDATE sessions SET identity_id = ?2 WHERE identity_id = ?1 AND ended_at IS NULL
        """
    /// An address that waits for its link goes on waiting, unless other sessions end and one of them has asked for it.
    fileprivate static let keepAsContact: Self = """
        UPDATE accounts SET contact_email = ?2, contact_email_verified_at = ?3, contact_form = ?4
        WHERE id = ?1 AND contact_email IS NULL
        """
}
