import AccountDatabase
import AppleID
import AppleIDTypes
import Foundation

/// The input of the link of an Apple Account, or of an identity at another provider.
struct LinkRecord: Sendable {
    var at: Timestamp
    /// The live session that asks. Its account gets the identity.
    var session: SessionID
    var proven: ProvenCredential
    var identity: IdentityID
    var consent: ConsentIntake
    var mailID: MailID
    var mail: MailWriter
    var twoAccountsMail: TwoAccountsMail?
    /// Opens a pending profile without any other I/O than a log line. Nil when it does not open.
    var openPendingProfile: @Sendable (PendingProfile) -> OpenedProfile?
    var caller: Caller
}

extension AccountTransactions {
    /// The identities that open an account, oldest first.
    func linkedIdentities(of account: AccountID) async throws -> [LinkedIdentity] {
        try await read { try $0.linkedIdentities(of: account) }
    }

    /// Whether a person's identity can be linked to an account, as far as can be said before. The transaction decides.
    ///
    /// An identity of another account passes: its credential is used, and signs in to that account.
    ///
    /// Throws ``AccountError/Code/consentRequired``, and ``AccountError/Code/rateLimited`` where such a consent was withdrawn
    /// too often.
    func requireLinkable(
        _ person: SignInRecord.Person, to account: AccountID, _ consent: ConsentGiven?, currentText: String,
        at moment: Timestamp
    ) async throws {
        try await read { connection in
            guard try connection.identity(of: person) == nil else { return }
            try connection.requireConsent(
                consent, joining: person, to: account, contact: connection.contactFacts(of: account),
                currentText: currentText, at: moment)
        }
    }

    /// The consent that an account lacks before an identity joins it that hides its address, and before one that tells
    /// it.
    func consentOfLinks(to account: AccountID, currentText: String) async throws -> (hidden: Bool, told: Bool) {
        try await read { connection in
            let contact = try connection.contactFacts(of: account)
            let lacks = { (isHidden: Bool) in
                try !connection.linkConsent(
                    hidingAddress: isHidden, to: account, contact: contact, currentText: currentText
                ).isEmpty
            }
            return try (hidden: lacks(true), told: lacks(false))
        }
    }

    /// Links an identity to the account of a session.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/alreadyUsed`` and ``AccountError/Code/tokenTooOld`` like
    /// ``signIn(_:)``, ``AccountError/Code/sessionEnded`` unless the session lives,
    /// ``AccountError/Code/credentialAlreadyInUse``, ``AccountError/Code/consentRequired`` and
    /// ``AccountError/Code/transferNotCompleted``.
    /// - Returns: whether the identity is new to the account.
    func link(_ record: LinkRecord) async throws -> Bool {
        try await write { try LinkTransaction(record: record, connection: $0).run() }
    }
}

/// The transaction of one link, step by step.
private struct LinkTransaction {
    let record: LinkRecord
    let connection: any SQLConnection

    private var at: Timestamp { record.at }

    func run() throws -> Bool {
        let proven = record.proven
        let person = proven.person
        try connection.lock(person: person.personHash)
        try connection.markUsed(proven.used, at: at)
        if let code = proven.ownCode { try connection.markOwnCodeUsed(code, at: at) }
        let kept = try connection.takePendingProfile(of: person, at: at, open: record.openPendingProfile)?.name
        let stored = try connection.lockedSession(record.session, at: at)
        let account = stored.account
        if let known = try connection.identity(of: person) {
            guard known.account == account.id else { throw AccountError.credentialAlreadyInUse }
            try connection.renewIdentity(known.id, of: proven, in: account.id, at: at)
            try connection.setNameUnlessThere(proven.name ?? kept, of: account)
            return false
        }
        let purposes = try connection.requireConsent(
            record.consent.given, joining: person, to: account.id, contact: account.contact,
            currentText: record.consent.currentText, at: at)
        let recipient = try connection.mailRecipient(of: account.id)
        try connection.addIdentity(record.identity, of: proven, to: account.id, at: at)
        try connection.setNameUnlessThere(proven.name ?? kept, of: account)
        try connection.giveConsents(
            record.consent, to: purposes, joining: record.identity, in: stored.session, at: at, from: record.caller)
        try connection.note(
            linked: record.identity, of: person, to: account.id, at: at,
            by: .account(through: record.session, from: record.caller))
        try connection.enqueue(
            record.mail.aboutWayIn(
                .linked, id: record.mailID, to: recipient, of: account.id, provider: person.provider.rawValue,
                address: person.email, from: record.caller, at: at))
        try connection.tellOfTwoAccounts(record.twoAccountsMail, person, of: account.id)
        return true
    }
}

extension SQLConnection {
    /// Records the consents that a link needed, and notes the one by which the identity has joined.
    /// - Parameter purposes: those that ``requireConsent(_:joining:to:contact:currentText:at:)`` returned.
    func giveConsents(
        _ consent: ConsentIntake, to purposes: [Consent.Purpose], joining identity: IdentityID, in session: Session,
        at moment: Timestamp, from caller: Caller
    ) throws {
        let caller = Caller(address: caller.address, device: session.deviceName ?? caller.device)
        for (id, purpose) in zip(consent.ids, purposes) {
            try give(
                Consent(
                    id: id, purpose: purpose, textVersion: consent.currentText, givenAt: moment,
                    sessionID: session.id, clientID: session.clientID, caller: caller), of: session.accountID)
            if purpose == .linkedIdentity { try note(id, joining: identity) }
        }
    }

    /// Tells audit and events of a way in that was added.
    func note(
        linked identity: IdentityID, of person: SignInRecord.Person, to account: AccountID, at moment: Timestamp,
        by actor: AuditActor
    ) throws {
        try append(
            AuditEntry(
                .identityLinked, at: moment, by: actor, account: account, subject: identity.rawValue,
                detail: person.provider.rawValue))
        try appendEvent(.linked, of: account, at: moment, about: identity.rawValue)
    }
}

extension SQLConnection {
    /// Requires the consent that an account lacks before a person's identity joins it: a hidden address would be joined with
    /// data that tell who the person is, or such data with a hidden address.
    ///
    /// Throws ``AccountError/Code/consentRequired`` unless the consent is to the current text, and
    /// ``AccountError/Code/rateLimited`` where such a consent was withdrawn too often.
    /// - Parameter contact: the account's contact address and phone number.
    /// - Returns: the purposes to which the person agrees by the link.
    @discardableResult
    func requireConsent(
        _ given: ConsentGiven?, joining person: SignInRecord.Person, to account: AccountID, contact: ContactFacts,
        currentText: String, at moment: Timestamp
    ) throws -> [Consent.Purpose] {
        let purposes = try linkConsent(
            hidingAddress: person.hidesAddress, to: account, contact: contact, currentText: currentText)
        try requireConsent(given, to: purposes, of: account, currentText: currentText, at: moment)
        return purposes
    }

    /// The purposes to which the person has to agree before an identity joins an account. Each link beside an identity of the
    /// other kind needs a consent of its own. For contact data, a consent to the current text that the person gave before
    /// will do.
    /// - Parameters:
    ///   - isHidden: whether Apple hides the address of the identity.
    ///   - contact: the account's contact address and phone number.
    func linkConsent(
        hidingAddress isHidden: Bool, to account: AccountID, contact: ContactFacts, currentText: String
    ) throws -> [Consent.Purpose] {
        var purposes: [Consent.Purpose] = []
        if isHidden, contact.email != nil || contact.pendingEmail != nil { purposes.append(.contactEmail) }
        if isHidden, contact.phone != nil { purposes.append(.phone) }
        if !purposes.isEmpty {
            let agreed = try purposesAgreed(of: account, toText: currentText)
            purposes.removeAll { agreed.contains($0) }
        }
        let isBesideOther = try identities(of: account).contains { $0.hidesAddress != isHidden }
        if isBesideOther { purposes.insert(.linkedIdentity, at: 0) }
        return purposes
    }

    func contactFacts(of account: AccountID) throws -> ContactFacts {
        try first(.contactFactsOfAccount, [.id(account)]) { try ContactFacts(&$0) } ?? ContactFacts()
    }

    /// The identities that open an account, oldest first.
    func linkedIdentities(of account: AccountID) throws -> [LinkedIdentity] {
        try query(.linkedIdentities, [.id(account)]) { columns in
            let (id, provider) = try (columns.word(IdentityID.self), columns.text())
            let team = try columns.word(TeamID.self)
            return try LinkedIdentity(
                id: id, provider: provider, team: provider == IdentityProvider.apple.rawValue ? team : nil,
                address: columns.optionalText(), isPrivateEmail: columns.flag(), hasPassword: columns.flag(),
                addedAt: columns.time(), lastSignInAt: columns.time())
        }
    }
}

extension MailWriter {
    /// Makes the mail about a way in that was added or removed. Nil without a recipient.
    func aboutWayIn(
        _ kind: Mail.Kind, id: MailID, to recipient: MailRecipient?, of account: AccountID, provider: String,
        address: String?, from caller: Caller, at moment: Timestamp
    ) throws -> QueuedMail? {
        guard var recipient else { return nil }
        recipient.languages = caller.languages
        var values = ["way": provider, "happenedAt": moment.date.formatted(.iso8601)]
        // A stranger's way in opens the account until it is removed there, whatever sessions end.
        values["link"] = linkToWaysIn
        values["address"] = address
        values["provider"] = name(ofProvider: provider)
        return try mail(kind, id: id, to: recipient, of: account, values: values, at: moment)
    }
}

extension SQLStatement {
    fileprivate static let contactFactsOfAccount: Self = "SELECT \(contactColumns) FROM accounts WHERE id = ?1"
    fileprivate static let linkedIdentities: Self = """
        SELECT i.id, i.provider, i.team, i.email, i.is_private_email,
            EXISTS (SELECT p.identity_id FROM passwords p WHERE p.identity_id = i.id AND p.is_off = FALSE),
            i.created_at, i.last_sign_in_at
        FROM identities i WHERE i.account_id = ?1 AND i.removed_at IS NULL ORDER BY i.created_at, i.id
        """
}
