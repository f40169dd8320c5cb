/// The response to `GET /v1/account` and to calls that change it.
public struct AccountAnswer: Hashable, Sendable, Codable {
    /// The account of the session.
    public var account: AccountBody

    /// Creates a value for the service to send. Clients decode it.
    public init(account: AccountBody) {
        self.account = account
    }
}

/// An account, as the person who owns it sees it.
public struct AccountBody: Hashable, Sendable {
    /// The account's opaque id (`acc_…`). It is the only member that identifies the person.
    public var id: String
    /// The person's name: the one that they typed here, otherwise the one that Apple or another provider gave. Null if
    /// there is none.
    public var name: AccountName?
    /// The address that Apple or another provider gave last, or the one with which the person signs in. Null for none.
    public var email: String?
    /// Whether the address is verified: by Apple, by another provider, or by a link that the service sent.
    public var emailVerified: Bool
    /// Whether the address is one of Apple's relay addresses, which forward to an address that stays hidden.
    public var isPrivateEmail: Bool
    /// The time of the person's first sign-in.
    public var createdAt: APITime
    /// Whether the person still uses the app with their Apple Account. Null if the session belongs to another way in.
    public var appleAccess: AppleAccessState?
    /// The time when the person stopped using the app with their Apple Account. Null while they use it.
    public var appleAccessEndedAt: APITime?
    /// Whether Apple forwards mail to the relay address. Null until Apple says so.
    public var emailForwarding: EmailForwarding?
    /// Apple's opinion whether the person is real: 1 unknown, 2 likely real. Apple gives it once at most, as advice.
    public var realUserStatus: Int?
    /// The organization of a managed Apple Account. Null for any other.
    public var organizationID: String?
    /// The time of the person's last sign-in at Apple, by Apple's clock.
    public var lastAuthorizedAt: APITime?
    /// Whether the service holds one of Apple's tokens for the person.
    public var appleToken: AppleTokenState?
    /// The address to which the service writes, once the person has opened the link that was sent to it. Null if they
    /// gave none.
    public var contactEmail: String?
    /// The address that becomes ``contactEmail`` when the person opens the link that was sent to it. Null if none waits.
    public var pendingContactEmail: String?
    /// The phone number in the form of E.164, as the person typed it. Nobody has verified it. Null if they gave none.
    public var phone: String?
    /// The ways in which the person can sign in. Null from a server that doesn't tell: one with Apple alone, or an
    /// older one.
    public var waysIn: WaysInBody?

    /// Creates a value for the service to send. Clients decode it.
    public init(
        id: String, name: AccountName?, email: String?, emailVerified: Bool, isPrivateEmail: Bool, createdAt: APITime,
        appleAccess: AppleAccessState? = nil, appleAccessEndedAt: APITime? = nil,
        emailForwarding: EmailForwarding? = nil, realUserStatus: Int? = nil, organizationID: String? = nil,
        lastAuthorizedAt: APITime? = nil, appleToken: AppleTokenState? = nil, contactEmail: String? = nil,
        pendingContactEmail: String? = nil, phone: String? = nil, waysIn: WaysInBody? = nil
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
        self.contactEmail = contactEmail
        self.pendingContactEmail = pendingContactEmail
        self.phone = phone
        self.waysIn = waysIn
    }
}

extension AccountBody: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, email, emailVerified, isPrivateEmail, createdAt
        case appleAccess, appleAccessEndedAt, emailForwarding, realUserStatus, organizationID, lastAuthorizedAt
        case appleToken, contactEmail, pendingContactEmail, phone, waysIn
    }

    /// Writes every member. An unknown one is null.
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
        try container.encode(contactEmail, forKey: .contactEmail)
        try container.encode(pendingContactEmail, forKey: .pendingContactEmail)
        try container.encode(phone, forKey: .phone)
        try container.encode(waysIn, forKey: .waysIn)
    }
}

/// The name of an account. Any part may be null, but not all of them.
public struct AccountName: Hashable, Sendable {
    /// The first name.
    public var givenName: String?
    /// The last name.
    public var familyName: String?
    /// The names between the given name and the family name, as text; nil for none.
    public var middleName: String?
    /// The title before the name, such as “Dr.”.
    public var namePrefix: String?
    /// The letters after the name, such as “Jr.”.
    public var nameSuffix: String?
    /// The name that friends use.
    public var nickname: String?
    /// The name on one line, for display.
    public var formatted: String

    /// Creates a value for the service to send. Clients decode it.
    public init(
        givenName: String? = nil, familyName: String? = nil, middleName: String? = nil, namePrefix: String? = nil,
        nameSuffix: String? = nil, nickname: String? = nil, formatted: String
    ) {
        self.givenName = givenName
        self.familyName = familyName
        self.middleName = middleName
        self.namePrefix = namePrefix
        self.nameSuffix = nameSuffix
        self.nickname = nickname
        self.formatted = formatted
    }
}

extension AccountName: Codable {
    private enum CodingKeys: String, CodingKey {
        case givenName, familyName, middleName, namePrefix, nameSuffix, nickname, formatted
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(givenName, forKey: .givenName)
        try container.encode(familyName, forKey: .familyName)
        try container.encode(middleName, forKey: .middleName)
        try container.encode(namePrefix, forKey: .namePrefix)
        try container.encode(nameSuffix, forKey: .nameSuffix)
        try container.encode(nickname, forKey: .nickname)
        try container.encode(formatted, forKey: .formatted)
    }
}

/// Whether a person still uses the app with their Apple Account, as far as the service knows. Later versions may add
/// values.
public struct AppleAccessState: RawRepresentable, Hashable, Sendable, Codable {
    /// The value as the response spells it.
    public let rawValue: String

    /// Makes a value, known or not, from its spelling in a response.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The person uses the app with their Apple Account.
    public static let granted = Self(rawValue: "granted")
    /// The person stopped using the app, or their Apple Account is gone. A new sign-in grants access again.
    public static let ended = Self(rawValue: "ended")
}

/// Whether Apple forwards mail to a person's relay address. Later versions may add values.
public struct EmailForwarding: RawRepresentable, Hashable, Sendable, Codable {
    /// The value as the response spells it.
    public let rawValue: String

    /// Makes a value, known or not, from its spelling in a response.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Apple forwards mail to the person.
    public static let enabled = Self(rawValue: "enabled")
    /// Mail to the address doesn't reach the person.
    public static let disabled = Self(rawValue: "disabled")
}

/// Whether the service holds one of Apple's refresh tokens, which it needs to revoke the authorization when the account
/// is deleted. Later versions may add values.
public struct AppleTokenState: RawRepresentable, Hashable, Sendable, Codable {
    /// The value as the response spells it.
    public let rawValue: String

    /// Makes a value, known or not, from its spelling in a response.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The service holds a token.
    public static let held = Self(rawValue: "held")
    /// Apple could not be asked at the sign-in. The service keeps the code for some minutes and tries again.
    public static let waiting = Self(rawValue: "waiting")
    /// The service holds no token. A sign-in with an authorization code brings one.
    public static let missing = Self(rawValue: "none")
}
