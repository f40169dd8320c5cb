import AppleID
public import AppleIDTypes

/// Changes what people say about themselves: their name, a contact address and a phone number.
///
/// Apple tells a name once. A name that a person typed here is theirs: Apple's later word never overwrites it.
///
/// A contact address counts when the person has opened the link that was sent to it, in a browser in which they are
/// signed in. The former address then gets a mail whose link takes the change back.
public struct Profiles: Sendable {
    /// How long the link in a mail to a new contact address is good for.
    public static let pendingLifetime: Duration = .hours(24)
    /// How long a change of the contact address can be taken back.
    public static let takeBackLifetime: Duration = .days(7)

    let store: AccountTransactions
    let texts: ConsentTexts
    let bell: EventBell
    let mail: MailWriter
    let environment: AppleIDEnvironment

    private var now: Timestamp { Timestamp(environment.now()) }

    /// - Parameter session: nil for a take-back link.
    private func step(in session: SessionID?, from caller: Caller) -> ContactStep {
        ContactStep(in: session, from: caller, writer: mail, currentText: texts.current, environment)
    }

    private func requireMail() throws(AccountError) {
        guard mail.isConfigured else {
            throw AccountError(.mailNotConfigured, "this service sends no mail, so it can't verify a contact address")
        }
    }

    /// Changes the profile of the session's account.
    ///
    /// A contact address is handled by what it is:
    /// - A new address waits until its link is opened, in the place of one that waited before. It gets a mail with the
    ///   link.
    /// - The address that waits already gets another mail. Its former link stops working.
    /// - The account's current contact address calls off the one that waits.
    ///
    /// Throws ``AccountError/Code/requestInvalid`` for an update that changes nothing,
    /// ``AccountError/Code/mailNotConfigured`` for a contact address where the service sends no mail,
    /// ``AccountError/Code/consentRequired`` for a contact address or phone number where an Apple address of the account
    /// is hidden and the person hasn't agreed to the current text, ``AccountError/Code/rateLimited`` for too many mails,
    /// or consents that were withdrawn, within a day, and ``AccountError/Code/sessionEnded``. Then nothing has changed.
    /// - Parameter caller: for the audit, the record of a consent, and the language of the mail.
    public func update(
        _ update: ProfileUpdate, in session: StoredSession, from caller: Caller
    ) async throws -> Account {
        guard !update.changesNothing else {
            throw AccountError(.requestInvalid, "there is nothing to change", field: nil)
        }
        if case .set = update.contactEmail { try requireMail() }
        let record = ProfileUpdateRecord(
            update: update, step: step(in: session.session.id, from: caller),
            session: session.session.id, consentRandomness: (0..<2).map { _ in environment.randomBytes(10) })
        let account = try await store.updateProfile(record)
        bell.notify(account.id)
        return account
    }

    /// Sends the contact address that waits another mail. Its former link works no more.
    ///
    /// Throws ``AccountError/Code/linkUnknown`` when none waits, and like ``update(_:in:from:)``.
    public func resendContactLink(
        in session: StoredSession, from caller: Caller
    ) async throws -> Account {
        try requireMail()
        let id = session.session.id
        return try await store.resendContactLink(step(in: id, from: caller), in: id)
    }

    /// Returns the contact address that a link is to confirm. It changes nothing.
    ///
    /// Throws ``AccountError/Code/linkUnknown``.
    public func pendingContact(_ secret: LinkSecret) async throws -> PendingContact {
        guard let waiting = try await store.pendingContact(secret, at: now) else { throw AccountError.linkUnknown }
        return waiting
    }

    /// Makes the address that got the link the contact address of the session's account. The link is used then.
    ///
    /// The former address gets a mail with a link that takes the change back; where there was none, Apple's address
    /// gets it.
    ///
    /// Throws ``AccountError/Code/linkUnknown``, ``AccountError/Code/linkOfAnotherAccount`` (then the link stays good),
    /// ``AccountError/Code/sessionEnded``, and ``AccountError/Code/consentRequired`` where the Apple address was hidden
    /// only after the person had asked for the change.
    public func confirmContact(
        _ secret: LinkSecret, in session: StoredSession, from caller: Caller
    ) async throws -> Account {
        let id = session.session.id
        let account = try await store.confirmContact(
            secret, step(in: id, from: caller), in: id)
        bell.notify(account.id)
        return account
    }

    /// Returns the change of a contact address that a link takes back. It changes nothing.
    ///
    /// Throws ``AccountError/Code/linkUnknown``.
    public func contactChange(_ secret: LinkSecret) async throws -> ContactChange {
        guard let change = try await store.contactChange(secret, at: now) else { throw AccountError.linkUnknown }
        return change
    }

    /// Takes a change of the contact address back, for somebody who got mail at the former address. Nobody needs to be
    /// signed in.
    ///
    /// The former address is the account's again, as confirmed as it was. If there was none, or if the consent to it was
    /// withdrawn since, the account has none. The session that asked for the change ends, the one that made it, and
    /// every one that was opened after that. An address that waits, a later change and the consent that
    /// came with it are undone too. The link is used then.
    ///
    /// Throws ``AccountError/Code/linkUnknown``.
    /// - Returns: the change that was taken back.
    @discardableResult
    public func takeBack(_ secret: LinkSecret, from caller: Caller) async throws -> ContactChange {
        let change = try await store.takeBack(secret, step(in: nil, from: caller))
        bell.notify(change.accountID)
        return change
    }
}

/// The edits that a person makes to their profile.
public struct ProfileUpdate: Sendable, Redacted {
    /// The edit of one member of the profile.
    public enum Edit<Value: Sendable>: Sendable {
        /// The member stays as it is.
        case unchanged
        /// The member is removed.
        case remove
        /// The member gets a new value.
        case set(Value)
    }

    /// The name. A new one replaces all parts. Apple's later word overwrites neither it nor its removal.
    public var name: Edit<PersonName>
    /// The address to which the service writes. A new one waits until its link is opened; a removal is at once.
    public var contactEmail: Edit<EmailAddress>
    /// The phone number. It is stored, and nobody verifies it.
    public var phone: Edit<PhoneNumber>
    /// The consent that the person gives with the change; nil if they give none.
    public var consent: ConsentGiven?

    /// Makes an update; without parameters it changes nothing.
    public init(
        name: Edit<PersonName> = .unchanged, contactEmail: Edit<EmailAddress> = .unchanged,
        phone: Edit<PhoneNumber> = .unchanged, consent: ConsentGiven? = nil
    ) {
        self.name = name
        self.contactEmail = contactEmail
        self.phone = phone
        self.consent = consent
    }

    var changesNothing: Bool {
        if case .unchanged = name, case .unchanged = contactEmail, case .unchanged = phone { true } else { false }
    }

    var removesSomething: Bool {
        if case .remove = name { return true }
        if case .remove = contactEmail { return true }
        if case .remove = phone { return true }
        return false
    }

    /// The purposes that need a consent before the update, if an Apple address of the person is hidden.
    var purposes: [Consent.Purpose] {
        var purposes: [Consent.Purpose] = []
        if case .set = contactEmail { purposes.append(.contactEmail) }
        if case .set = phone { purposes.append(.phone) }
        return purposes
    }
}

/// A contact address that waits for its link to be opened.
public struct PendingContact: Hashable, Sendable, Redacted {
    /// The account that asked for it.
    public var accountID: AccountID
    /// The address, as the person typed it.
    public var address: String
    /// When the person asked for it.
    public var askedAt: Timestamp
    /// When the link is too old.
    public var expiresAt: Timestamp
    /// The session through which the person asked for it.
    package var sessionID: SessionID

    package init(
        accountID: AccountID, address: String, askedAt: Timestamp, expiresAt: Timestamp, sessionID: SessionID
    ) {
        self.accountID = accountID
        self.address = address
        self.askedAt = askedAt
        self.expiresAt = expiresAt
        self.sessionID = sessionID
    }
}

/// A change of a contact address that can be taken back.
public struct ContactChange: Hashable, Sendable, Redacted {
    /// The account whose contact address changed.
    public var accountID: AccountID
    /// The contact address before the change; nil if there was none, or if the consent to it was withdrawn.
    public var formerAddress: String?
    /// When the former address was confirmed; nil if there was none.
    package var formerVerifiedAt: Timestamp?
    /// When the change was asked for. Sessions that were opened later end when the change is taken back, and so does the
    /// session that asked.
    public var askedAt: Timestamp
    /// When the contact address changed.
    public var changedAt: Timestamp
    /// When the link is too old.
    public var expiresAt: Timestamp
    /// The place of the change among those of the account: its link ends the links of all that come after it. It is
    /// ``changedAt``, except where a merge brings older changes along, which come after it.
    package var order: Timestamp
    /// The session that asked for the change.
    package var askedBy: SessionID
    /// The session that made the change.
    package var changedBy: SessionID

    package init(
        accountID: AccountID, formerAddress: String?, formerVerifiedAt: Timestamp?, askedAt: Timestamp,
        changedAt: Timestamp, expiresAt: Timestamp, askedBy: SessionID, changedBy: SessionID, order: Timestamp? = nil
    ) {
        self.accountID = accountID
        self.formerAddress = formerAddress
        self.formerVerifiedAt = formerVerifiedAt
        self.askedAt = askedAt
        self.changedAt = changedAt
        self.expiresAt = expiresAt
        self.order = order ?? changedAt
        self.askedBy = askedBy
        self.changedBy = changedBy
    }
}
