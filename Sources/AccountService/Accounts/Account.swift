public import AppleIDTypes

/// An account as its person may see it.
///
/// Name and address belong to the person, are untrusted text, and never identify anybody.
public struct Account: Hashable, Sendable {
    /// The account's identifier.
    public var id: AccountID
    /// The name that the person typed, or else the one that Apple gave, if any.
    public var name: PersonName?
    /// The address that Apple or another provider last told, real or relay; or the one with which the person signs in.
    public var email: String?
    /// Whether ``email`` is verified, by Apple, by another provider, or by a link that this service sent.
    public var emailVerified: Bool
    /// Whether ``email`` is a relay address.
    public var isPrivateEmail: Bool
    /// When the person first signed in.
    public var createdAt: Timestamp
    /// Whether the identity that the session belongs to is one at Apple.
    package var isByApple: Bool
    /// The person's standing at Apple, as far as Apple has said. It says nothing of a person who signs in another way.
    public var appleAccess: AppleAccess
    /// Whether a refresh token of Apple's is held for the identity that the session belongs to.
    package var appleToken: AppleTokenStatus
    /// The contact address and the phone number that the person added.
    package var contact: ContactFacts
    /// The address to which the service writes, which the person has confirmed; nil if they gave none.
    public var contactEmail: String? { contact.email }
    /// The address that becomes ``contactEmail`` when the person opens the link that was sent to it; nil if none waits.
    /// It goes at most a minute after its link has expired.
    public var pendingContactEmail: String? { contact.pendingEmail }
    /// The phone number in the form of E.164, which nobody has verified; nil if the person gave none.
    public var phone: String? { contact.phone }

    package init(
        id: AccountID, name: PersonName?, email: String?, emailVerified: Bool, isPrivateEmail: Bool,
        createdAt: Timestamp, isByApple: Bool = true, appleAccess: AppleAccess = AppleAccess(),
        appleToken: AppleTokenStatus = .none, contact: ContactFacts = ContactFacts()
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.emailVerified = emailVerified
        self.isPrivateEmail = isPrivateEmail
        self.createdAt = createdAt
        self.isByApple = isByApple
        self.appleAccess = appleAccess
        self.appleToken = appleToken
        self.contact = contact
    }
}

/// The contact address and the phone number that a person added to their account, as the account's row has them.
package struct ContactFacts: Hashable, Sendable {
    /// The contact address, confirmed.
    package var email: String?
    /// The contact address whose link was not opened yet.
    package var pendingEmail: String?
    package var phone: String?

    package init(email: String? = nil, pendingEmail: String? = nil, phone: String? = nil) {
        self.email = email
        self.pendingEmail = pendingEmail
        self.phone = phone
    }
}

/// An account as its operator sees it, with who may sign in to it.
public struct ListedAccount: Hashable, Sendable, Redacted {
    /// One identity at a provider.
    public struct Identity: Hashable, Sendable, Redacted {
        /// The identity's identifier.
        public var id: IdentityID
        /// The provider that knows the person: `apple`, the id of another one, or `email` for an email identity.
        public var provider: String
        /// The team at Apple that ``subject`` belongs to, another provider's issuer, or `email` for an email identity.
        public var team: TeamID
        /// The provider's identifier of the person (`sub`); for an email identity the look-up form of its address.
        public var subject: Subject
        /// The address that the provider told last, real or relay.
        public var email: String?
        /// Whether the provider says that ``email`` is verified.
        public var emailVerified: Bool
        /// Whether ``email`` is a relay address.
        public var isPrivateEmail: Bool
        /// The person's standing at Apple, as far as Apple has said.
        public var access: AppleAccess
        /// Whether a refresh token of Apple's is held for the identity.
        package var appleToken: AppleTokenStatus
        /// When the identity was added to the account.
        public var createdAt: Timestamp
        /// When the person last signed in with the identity.
        public var lastSignInAt: Timestamp
        /// When the password of an email identity was set; nil where there is none.
        package var passwordSetAt: Timestamp?
        /// Whether the password is off, because it was wrong too often, until it is reset by mail.
        package var isPasswordOff = false

        package init(
            id: IdentityID, provider: String, team: TeamID, subject: Subject, email: String?, emailVerified: Bool,
            isPrivateEmail: Bool, access: AppleAccess, appleToken: AppleTokenStatus, createdAt: Timestamp,
            lastSignInAt: Timestamp
        ) {
            self.id = id
            self.provider = provider
            self.team = team
            self.subject = subject
            self.email = email
            self.emailVerified = emailVerified
            self.isPrivateEmail = isPrivateEmail
            self.access = access
            self.appleToken = appleToken
            self.createdAt = createdAt
            self.lastSignInAt = lastSignInAt
        }
    }

    /// The account's identifier.
    public var id: AccountID
    /// The name that the person typed, or else the one that Apple gave, if any.
    public var name: PersonName?
    package var contact: ContactFacts
    /// The address to which the service writes, which the person has confirmed; nil if they gave none.
    public var contactEmail: String? { contact.email }
    /// The address that becomes ``contactEmail`` when the person opens the link that was sent to it; nil if none waits.
    public var pendingContactEmail: String? { contact.pendingEmail }
    /// The phone number in the form of E.164, which nobody has verified; nil if the person gave none.
    public var phone: String? { contact.phone }
    /// When the account was made.
    public var createdAt: Timestamp
    /// When the operator disabled the account; nil for one that takes sign-ins.
    public var disabledAt: Timestamp?
    /// Oldest first.
    public var identities: [Identity]

    package init(
        id: AccountID, name: PersonName?, contact: ContactFacts = ContactFacts(), createdAt: Timestamp,
        disabledAt: Timestamp?, identities: [Identity]
    ) {
        self.id = id
        self.name = name
        self.contact = contact
        self.createdAt = createdAt
        self.disabledAt = disabledAt
        self.identities = identities
    }
}
