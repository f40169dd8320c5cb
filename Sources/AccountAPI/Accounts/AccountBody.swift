/// An account as its person sees it.
public struct AccountBody: Hashable, Sendable {
    /// Opaque; the only member that identifies anybody.
    public var id: String
    /// Null until Apple has told a name.
    public var name: AccountName?
    /// The address that Apple last told; null when it told none.
    public var email: String?
    public var emailVerified: Bool
    /// Whether the address is a relay of Apple's, which forwards to an address that stays hidden.
    public var isPrivateEmail: Bool
    public var createdAt: APITime
    /// Whether the person still uses the app with their Apple Account.
    public var appleAccess: AppleAccessState?
    /// When that ended; null while it is granted.
    public var appleAccessEndedAt: APITime?
    /// Whether Apple forwards mail to the relay address; null while Apple has said nothing of it.
    public var emailForwarding: EmailForwarding?
    /// Apple's opinion whether the person is real, told once at most: 1 unknown, 2 likely real. Advice, nothing more.
    public var realUserStatus: Int?
    /// Of a managed Apple Account.
    public var organizationID: String?
    /// When the person last signed in at Apple, by Apple's clock.
    public var lastAuthorizedAt: APITime?
    /// Whether the service holds a token of Apple's for the person.
    public var appleToken: AppleTokenWord?

    public init(
        id: String, name: AccountName?, email: String?, emailVerified: Bool, isPrivateEmail: Bool, createdAt: APITime,
        appleAccess: AppleAccessState? = nil, appleAccessEndedAt: APITime? = nil,
        emailForwarding: EmailForwarding? = nil, realUserStatus: Int? = nil, organizationID: String? = nil,
        lastAuthorizedAt: APITime? = nil, appleToken: AppleTokenWord? = nil
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.emailVerified = emailVerified
        self.isPrivateEmail = isPrivateEmail
        self.createdAt = createdAt
        self.appleAccess = appleAccess
        self.appleAccessEndedAt = appleAccessEndedAt
        self.emailForwarding = emailForwarding
        self.realUserStatus = realUserStatus
        self.organizationID = organizationID
        self.lastAuthorizedAt = lastAuthorizedAt
        self.appleToken = appleToken
    }
}

extension AccountBody: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, email, emailVerified, isPrivateEmail, createdAt
        case appleAccess, appleAccessEndedAt, emailForwarding, realUserStatus, organizationID, lastAuthorizedAt
        case appleToken
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(email, forKey: .email)
        try container.encode(emailVerified, forKey: .emailVerified)
        try container.encode(isPrivateEmail, forKey: .isPrivateEmail)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(appleAccess, forKey: .appleAccess)
        try container.encode(appleAccessEndedAt, forKey: .appleAccessEndedAt)
        try container.encode(emailForwarding, forKey: .emailForwarding)
        try container.encode(realUserStatus, forKey: .realUserStatus)
        try container.encode(organizationID, forKey: .organizationID)
        try container.encode(lastAuthorizedAt, forKey: .lastAuthorizedAt)
        try container.encode(appleToken, forKey: .appleToken)
    }
}
