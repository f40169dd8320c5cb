/// The body of a webhook: something happened to an account. It holds ids and codes alone; a receiver asks the service
/// for more.
///
/// For a receiver in Swift, once it has verified the signature over the bytes that came.
public struct WebhookBody: Hashable, Sendable, Codable {
    /// The event type of a webhook. Later versions may add types.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The value as the response spells it.
        public let rawValue: String

        /// Makes a value, known or not, from its spelling in a response.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A person signed in for the first time.
        public static let accountCreated = Self(rawValue: "account.created")
        /// The account is gone, with everything that the service held.
        public static let accountDeleted = Self(rawValue: "account.deleted")
        /// The person stopped using the app at Apple, or the Apple Account is gone. The account stays.
        public static let appleAccessEnded = Self(rawValue: "apple_access.ended")
        /// Apple started or stopped forwarding mail to the person's relay address.
        public static let emailForwardingChanged = Self(rawValue: "email_forwarding.changed")
        /// The person changed their profile. The reason is the member: `name`, `contact_email` or `phone`.
        public static let accountProfileChanged = Self(rawValue: "account.profile_changed")
        /// The account has one more way in. The identity says which.
        public static let accountLinked = Self(rawValue: "account.linked")
        /// The account has lost a way in. The identity says which.
        public static let accountUnlinked = Self(rawValue: "account.unlinked")
        /// The account was merged into another one, and is gone. ``Subject/merged`` says which.
        public static let accountMerged = Self(rawValue: "account.merged")
        /// The person gave a consent.
        public static let consentGiven = Self(rawValue: "consent.given")
        /// The person withdrew a consent. What it allowed is removed.
        public static let consentWithdrawn = Self(rawValue: "consent.withdrawn")
        /// The person signs in with Apple from now on, in place of an email address. The account is the same.
        public static let accountUpgraded = Self(rawValue: "account.upgraded")
        /// The app belongs to another team now, under which the person has another user id at Apple. The account is the
        /// same. The reason is `import` or `sign_in`.
        public static let identityTransferred = Self(rawValue: "identity.transferred")
    }

    /// The account that a webhook is about.
    public struct Subject: Hashable, Sendable {
        /// The account's id.
        public var accountID: String
        /// A number that rises from change to change of an account, with gaps. Of two changes, the later one has the
        /// greater number.
        public var sequence: Int64
        /// The identity that Apple's notification was about, or the one that an upgrade made.
        public var identityID: String?
        /// A code that says more: the reason, or `enabled` and `disabled` for forwarding.
        public var reason: String?
        /// The two accounts of a merge. Absent with every other type.
        public var merged: MergedAccountsBody?

        /// Creates a value for the service to send. Clients decode it.
        public init(
            accountID: String, sequence: Int64, identityID: String?, reason: String?,
            merged: MergedAccountsBody? = nil
        ) {
            self.accountID = accountID
            self.sequence = sequence
            self.identityID = identityID
            self.reason = reason
            self.merged = merged
        }
    }

    /// The event type.
    public var type: Kind
    /// The time of the event, not of the delivery.
    public var timestamp: APITime
    /// The account that the event is about.
    public var data: Subject

    /// Creates a value for the service to send. Clients decode it.
    public init(type: Kind, timestamp: APITime, data: Subject) {
        self.type = type
        self.timestamp = timestamp
        self.data = data
    }
}

extension WebhookBody.Subject: Codable {
    private enum CodingKeys: String, CodingKey {
        case accountID, sequence, identityID, reason, merged
    }

    /// Writes every member. An unknown one is null, but ``merged`` is there with its type alone.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(accountID, forKey: .accountID)
        try container.encode(sequence, forKey: .sequence)
        try container.encode(identityID, forKey: .identityID)
        try container.encode(reason, forKey: .reason)
        try container.encodeIfPresent(merged, forKey: .merged)
    }
}
