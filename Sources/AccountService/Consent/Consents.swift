import AppleID
public import AppleIDTypes

/// Lists the consents that people have given, and withdraws them.
///
/// ``Profiles/update(_:in:from:)`` records consents, where an Apple address of the account is hidden.
public struct Consents: Sendable {
    /// The greatest number of withdrawn consents in a list.
    static let maximumListLength = 1_000
    /// How often a person may withdraw a consent to one purpose within a day and agree again.
    static let withdrawalsPerDay = 10

    /// The texts that people agree to.
    public let texts: ConsentTexts
    let store: AccountTransactions
    let ways: UsableWaysIn
    let signal: OutboxSignal
    let bell: EventBell
    let mail: MailWriter
    let environment: AppleIDEnvironment

    /// Returns the consents of an account's person, newest first: each that holds, and the newest thousand of the others.
    public func list(of account: AccountID) async throws -> [Consent] {
        try await store.consents(of: account)
    }

    /// Returns the consent that the account's person must give before they add a contact address or a phone number; nil
    /// where none is needed, because Apple tells the person's own address, or they have agreed to the current text.
    public func missing(for account: AccountID) async throws -> Consent.Requirement? {
        try await store.missingConsent(of: account, to: Consent.Purpose.contactData, currentText: texts.current)
    }

    /// Withdraws a consent of the session's account, and removes what it allowed: the contact address, also one that
    /// waits for its link, or the phone number. Other consents to the same data are withdrawn with it.
    ///
    /// A consent to a linked identity is withdrawn alone. The identity that joined the account by a consent doesn't
    /// open the account any more, as if ``Links/remove(_:in:from:)`` had removed it, unless nobody could sign in then.
    ///
    /// A contact address that counted gets a mail about its removal, with a link that ends this session and removes what
    /// was set since. The link brings no address back.
    ///
    /// Throws ``AccountError/Code/consentUnknown`` for one that is not the account's, or was withdrawn before,
    /// ``AccountError/Code/requiresRecentLogin`` where an identity goes with it, and
    /// ``AccountError/Code/sessionEnded``.
    public func withdraw(
        _ id: ConsentID, in session: StoredSession, from caller: Caller
    ) async throws -> ConsentWithdrawal {
        let step = ContactStep(
            in: session.session.id, from: caller, writer: mail, currentText: texts.current, environment)
        // A consent to a link has joined one identity, and a consent to a merge all those of the other account. A mail
        // tells of each identity that goes.
        let mails = try await store.linkedIdentities(of: session.account.id).count
        let withdrawal = try await store.withdrawConsent(
            id, step, removal(in: session, from: caller, mails: mails), in: session.session.id)
        signal.notify()
        bell.notify(withdrawal.account.id)
        return withdrawal
    }

    /// Returns the identities that the withdrawal of a consent would remove from a session's account, and those that joined
    /// by the consent and would stay.
    public func parting(
        from consent: ConsentID, in session: StoredSession
    ) async throws -> (unlinked: [LinkedIdentity], kept: [LinkedIdentity]) {
        let parting = try await store.consentParting(
            of: session.account.id, from: consent, removal(in: session, from: .unknown, mails: 0))
        return (parting.parted, parting.kept)
    }

    private func removal(in session: StoredSession, from caller: Caller, mails: Int) -> WayInRemoval {
        WayInRemoval(
            at: Timestamp(environment.now()), by: .account(through: session.session.id, from: caller), ways,
            from: caller, mail: mail, mails: mails)
    }
}

/// A record of a person's agreement: to which purpose and text, when, and from where.
public struct Consent: Hashable, Sendable {
    /// The kind of data that a consent lets the service keep. Later versions may add purposes.
    public struct Purpose: RawRepresentable, Hashable, Sendable {
        /// The word that is stored and sent.
        public let rawValue: String

        /// Keeps any word, also one that this version doesn't know.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The service keeps a contact address of the person's.
        public static let contactEmail = Self(rawValue: "contact_email")
        /// The service keeps a phone number of the person's.
        public static let phone = Self(rawValue: "phone")
        /// The account has a way in that hides the person's address beside data that tell who the person is. Each link that
        /// brings the two together needs a consent of its own.
        public static let linkedIdentity = Self(rawValue: "linked_identity")

        static let all: [Self] = contactData + [linkedIdentity]
        /// The purposes of the data that people enter on their profile.
        static let contactData: [Self] = [.contactEmail, .phone]
    }

    /// The consent that a change needs, and lacks.
    public struct Requirement: Hashable, Sendable {
        /// The purposes that the person must agree to.
        public var purposes: [Purpose]
        /// The version of the text to show, which is the current one.
        public var textVersion: String

        package init(purposes: [Purpose], textVersion: String) {
            self.purposes = purposes
            self.textVersion = textVersion
        }
    }

    /// The consent's identifier.
    public var id: ConsentID
    /// The purpose that the person agreed to.
    public var purpose: Purpose
    /// The version of the text that they agreed to.
    public var textVersion: String
    /// When they agreed.
    public var givenAt: Timestamp
    /// The session through which they agreed.
    public var sessionID: SessionID
    /// The app or Services ID of the session.
    public var clientID: ClientID
    /// The address and device that the request came from.
    public var caller: Caller
    /// When they withdrew the consent; nil while it holds.
    public var withdrawnAt: Timestamp?

    package init(
        id: ConsentID, purpose: Purpose, textVersion: String, givenAt: Timestamp, sessionID: SessionID,
        clientID: ClientID, caller: Caller, withdrawnAt: Timestamp? = nil
    ) {
        self.id = id
        self.purpose = purpose
        self.textVersion = textVersion
        self.givenAt = givenAt
        self.sessionID = sessionID
        self.clientID = clientID
        self.caller = caller
        self.withdrawnAt = withdrawnAt
    }
}

/// A person's consent to one version of the text, as a request brings it.
public struct ConsentGiven: Hashable, Sendable {
    /// The version of the text that the person has read.
    public var textVersion: String

    /// Names the version that the person has read.
    public init(textVersion: String) {
        self.textVersion = textVersion
    }
}

/// The consent that came with a request which may need one, and all that a transaction needs to record it.
struct ConsentIntake: Sendable {
    /// The person's consent; nil if they have given none.
    let given: ConsentGiven?
    /// The version of the consent text that people are asked to agree to.
    let currentText: String
    /// The ids of new consents, one for each purpose.
    let ids: [ConsentID]

    /// Makes the ids.
    init(_ given: ConsentGiven?, currentText: String, at moment: Timestamp, environment: AppleIDEnvironment) {
        self.given = given
        self.currentText = currentText
        ids = Consent.Purpose.all.map { _ in ConsentID(at: moment, randomness: environment.randomBytes(10)) }
    }
}
