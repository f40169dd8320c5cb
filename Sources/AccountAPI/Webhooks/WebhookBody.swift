/// What a webhook says: something happened to an account. Ids and codes alone; whoever needs more asks the service.
///
/// For a receiver in Swift, once it has verified the signature over the bytes that came.
public struct WebhookBody: Hashable, Sendable, Codable {
    /// What happened; words may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Somebody signed in for the first time.
        public static let accountCreated = Self(rawValue: "account.created")
        /// The account is gone, with all that the service held.
        public static let accountDeleted = Self(rawValue: "account.deleted")
        /// The person stopped using the app at Apple, or Apple's account is gone. The account stays.
        public static let appleAccessEnded = Self(rawValue: "apple_access.ended")
        /// Apple forwards mail to the person's relay address from now on, or does not any more.
        public static let emailForwardingChanged = Self(rawValue: "email_forwarding.changed")
    }

    /// What it is about.
    public struct Subject: Hashable, Sendable {
        public var accountID: String
        /// Rises from change to change of one account, with gaps: what has the greater one happened later.
        public var sequence: Int64
        /// The identity through which Apple's word concerns the account.
        public var identityID: String?
        /// A code that says more: why, or `enabled` and `disabled` for forwarding.
        public var reason: String?

        public init(accountID: String, sequence: Int64, identityID: String?, reason: String?) {
            self.accountID = accountID
            self.sequence = sequence
            self.identityID = identityID
            self.reason = reason
        }
    }

    public var type: Kind
    /// When it happened; not when it was sent.
    public var timestamp: APITime
    public var data: Subject

    public init(type: Kind, timestamp: APITime, data: Subject) {
        self.type = type
        self.timestamp = timestamp
        self.data = data
    }
}

extension WebhookBody.Subject: Codable {
    private enum CodingKeys: String, CodingKey {
        case accountID, sequence, identityID, reason
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(accountID, forKey: .accountID)
        try container.encode(sequence, forKey: .sequence)
        try container.encode(identityID, forKey: .identityID)
        try container.encode(reason, forKey: .reason)
    }
}
