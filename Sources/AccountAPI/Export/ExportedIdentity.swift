/// An identity by which the person signs in.
public struct ExportedIdentity: Hashable, Sendable {
    /// The identity's id (`idn_…`).
    public var id: String
    /// The provider of the identity: `apple`, the id of another one, or `email` for an address with which the person signs
    /// in.
    public var provider: String
    /// The developer team for which ``subject`` is made; the issuer of another provider, and `email` for an address.
    public var team: String
    /// Apple's identifier of the person, for this team alone; another provider's; or the look-up form of an address.
    public var subject: String
    /// The address that the provider gave last, or the one with which the person signs in.
    public var email: String?
    /// Whether the provider, or a link that this service sent, has verified the address.
    public var emailVerified: Bool
    /// Whether the address is one of Apple's relay addresses.
    public var isPrivateEmail: Bool
    /// Whether Apple forwards mail to the relay address. Null until Apple says so.
    public var emailForwarding: EmailForwarding?
    /// Apple's opinion at the first sign-in from an app: 0 unsupported, 1 unknown, 2 likely real.
    public var realUserStatus: Int?
    /// The organization of a managed Apple Account. Null for any other.
    public var organizationID: String?
    /// Whether the person still uses the app with their Apple Account. Null for another way in than Apple.
    public var appleAccess: AppleAccessState?
    /// The time when the person stopped using the app with their Apple Account. Null while they use it.
    public var appleAccessEndedAt: APITime?
    /// The time at which the password of an email address was set. Null without a password.
    public var passwordSetAt: APITime?
    /// Whether the password is off, after too many wrong ones. Null without a password.
    public var isPasswordOff: Bool?
    /// The time at which the identity was added to the account.
    public var createdAt: APITime
    /// The time of the last sign-in, by this server's clock.
    public var lastSignInAt: APITime
    /// The time of the last sign-in at Apple, by Apple's clock.
    public var lastAuthorizedAt: APITime?
    /// The refresh tokens of Apple's that the service holds. The tokens themselves are secret.
    public var appleTokens: [ExportedAppleToken]
    /// The moves of the identity from one team to another, with an app. Nil from an older service.
    public var transfers: [ExportedTransfer]?

    /// Creates a value for the service to send. Clients decode it.
    public init(
        id: String, provider: String, team: String, subject: String, email: String?, emailVerified: Bool,
        isPrivateEmail: Bool, emailForwarding: EmailForwarding?, realUserStatus: Int?, organizationID: String?,
        appleAccess: AppleAccessState?, appleAccessEndedAt: APITime?, passwordSetAt: APITime? = nil,
        isPasswordOff: Bool? = nil, createdAt: APITime, lastSignInAt: APITime, lastAuthorizedAt: APITime?,
        appleTokens: [ExportedAppleToken], transfers: [ExportedTransfer] = []
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
        self.passwordSetAt = passwordSetAt
        self.isPasswordOff = isPasswordOff
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
        self.lastAuthorizedAt = lastAuthorizedAt
        self.appleTokens = appleTokens
        self.transfers = transfers
    }
}

extension ExportedIdentity: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, provider, team, subject, email, emailVerified
        case isPrivateEmail, emailForwarding, realUserStatus, organizationID, appleAccess, appleAccessEndedAt
        case passwordSetAt, isPasswordOff
        case createdAt, lastSignInAt, lastAuthorizedAt, appleTokens, transfers
    }

    /// Writes every member. An unknown one is null.
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
        try container.encode(passwordSetAt, forKey: .passwordSetAt)
        try container.encode(isPasswordOff, forKey: .isPasswordOff)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(lastSignInAt, forKey: .lastSignInAt)
        try container.encode(lastAuthorizedAt, forKey: .lastAuthorizedAt)
        try container.encode(appleTokens, forKey: .appleTokens)
        try container.encode(transfers, forKey: .transfers)
    }
}

/// A move of an identity from one developer team to another, with an app of the first.
public struct ExportedTransfer: Hashable, Sendable {
    /// The team that sent the app.
    public var fromTeam: String
    /// The team that received the app.
    public var toTeam: String
    /// Apple's identifier of the person for ``fromTeam``.
    public var formerSubject: String?
    /// Apple's identifier of the person between the two teams. Null if Apple gave none.
    public var transferSubject: String?
    /// The time of the move. Null before it.
    public var movedAt: APITime?

    /// Creates a value for the service to send. Clients decode it.
    public init(
        fromTeam: String, toTeam: String, formerSubject: String?, transferSubject: String?, movedAt: APITime?
    ) {
        self.fromTeam = fromTeam
        self.toTeam = toTeam
        self.formerSubject = formerSubject
        self.transferSubject = transferSubject
        self.movedAt = movedAt
    }
}

extension ExportedTransfer: Codable {
    private enum CodingKeys: String, CodingKey { case fromTeam, toTeam, formerSubject, transferSubject, movedAt }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(fromTeam, forKey: .fromTeam)
        try container.encode(toTeam, forKey: .toTeam)
        try container.encode(formerSubject, forKey: .formerSubject)
        try container.encode(transferSubject, forKey: .transferSubject)
        try container.encode(movedAt, forKey: .movedAt)
    }
}

/// One of Apple's refresh tokens that the service holds, without the token itself.
public struct ExportedAppleToken: Hashable, Sendable {
    /// The app or Services ID that obtained the token.
    public var clientID: String
    /// The time at which Apple gave the token.
    public var obtainedAt: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(clientID: String, obtainedAt: APITime) {
        self.clientID = clientID
        self.obtainedAt = obtainedAt
    }
}

extension ExportedAppleToken: Codable {
    private enum CodingKeys: String, CodingKey { case clientID, obtainedAt }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(obtainedAt, forKey: .obtainedAt)
    }
}
