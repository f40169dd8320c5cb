/// One way in which the person signs in.
public struct ExportedIdentity: Hashable, Sendable {
    public var id: String
    /// Always `apple`.
    public var provider: String
    /// Whose view of the person ``subject`` is.
    public var team: String
    /// What Apple calls the person, to this team alone.
    public var subject: String
    public var email: String?
    public var emailVerified: Bool
    public var isPrivateEmail: Bool
    /// Whether Apple forwards mail to the relay address; null while Apple has said nothing of it.
    public var emailForwarding: EmailForwarding?
    /// Apple's word at the first sign-in from an app: 0 unsupported, 1 unknown, 2 likely real.
    public var realUserStatus: Int?
    /// Of a managed Apple Account.
    public var organizationID: String?
    /// Whether the person still uses the app with their Apple Account.
    public var appleAccess: AppleAccessState
    public var appleAccessEndedAt: APITime?
    public var createdAt: APITime
    public var lastSignInAt: APITime
    /// By Apple's clock.
    public var lastAuthorizedAt: APITime?
    /// That refresh tokens of Apple's are held; what they are is secret.
    public var appleTokens: [ExportedAppleToken]

    public init(
        id: String, provider: String, team: String, subject: String, email: String?, emailVerified: Bool,
        isPrivateEmail: Bool, emailForwarding: EmailForwarding?, realUserStatus: Int?, organizationID: String?,
        appleAccess: AppleAccessState, appleAccessEndedAt: APITime?, createdAt: APITime, lastSignInAt: APITime,
        lastAuthorizedAt: APITime?, appleTokens: [ExportedAppleToken]
    ) {
        self.id = id
        self.provider = provider
        self.team = team
        self.subject = subject
        self.email = email
        self.emailVerified = emailVerified
        self.isPrivateEmail = isPrivateEmail
        self.emailForwarding = emailForwarding
        self.realUserStatus = realUserStatus
        self.organizationID = organizationID
        self.appleAccess = appleAccess
        self.appleAccessEndedAt = appleAccessEndedAt
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
        self.lastAuthorizedAt = lastAuthorizedAt
        self.appleTokens = appleTokens
    }
}

extension ExportedIdentity: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, provider, team, subject, email, emailVerified
        case isPrivateEmail, emailForwarding, realUserStatus, organizationID, appleAccess, appleAccessEndedAt
        case createdAt, lastSignInAt, lastAuthorizedAt, appleTokens
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(provider, forKey: .provider)
        try container.encode(team, forKey: .team)
        try container.encode(subject, forKey: .subject)
        try container.encode(email, forKey: .email)
        try container.encode(emailVerified, forKey: .emailVerified)
        try container.encode(isPrivateEmail, forKey: .isPrivateEmail)
        try container.encode(emailForwarding, forKey: .emailForwarding)
        try container.encode(realUserStatus, forKey: .realUserStatus)
        try container.encode(organizationID, forKey: .organizationID)
        try container.encode(appleAccess, forKey: .appleAccess)
        try container.encode(appleAccessEndedAt, forKey: .appleAccessEndedAt)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(lastSignInAt, forKey: .lastSignInAt)
        try container.encode(lastAuthorizedAt, forKey: .lastAuthorizedAt)
        try container.encode(appleTokens, forKey: .appleTokens)
    }
}
