/// The body of `POST /v1/sign-in/apple`: the credential that the app got from Apple, or from this server in Apple's
/// place.
public struct NativeSignInRequest: Hashable, Sendable {
    /// Apple's identity token in compact form. Null if the app has the code alone; then ``clientID`` says whose code it
    /// is.
    public var identityToken: String?
    /// The authorization code, which can be redeemed once within five minutes. Null if the app got none. A code that
    /// this server gave with a credential is taken in place of Apple's.
    public var authorizationCode: String?
    /// The raw nonce, not its hash: a challenge of this server, or 20 to 128 printable ASCII characters of the app's
    /// own. Null only if Apple was given none.
    public var nonce: String?
    /// The name. Apple gives it once, at the first sign-in; it is null at all others.
    public var fullName: FullName?
    /// The client that obtained the code. Required without ``identityToken``, and ignored with it. For Apple's code it
    /// is the bundle id that obtained it; for a code of this server it is any client of the app that got it.
    public var clientID: String?
    /// The name by which the person knows the device, for the list of sessions. The service cuts it to 64 characters
    /// and drops control characters.
    public var deviceName: String?

    /// Creates the body of a call.
    public init(
        identityToken: String?, authorizationCode: String?, nonce: String?, fullName: FullName? = nil,
        clientID: String? = nil, deviceName: String? = nil
    ) {
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.fullName = fullName
        self.clientID = clientID
        self.deviceName = deviceName
    }
}

extension NativeSignInRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case identityToken, authorizationCode, nonce, fullName, clientID, deviceName
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(identityToken, forKey: .identityToken)
        try container.encode(authorizationCode, forKey: .authorizationCode)
        try container.encode(nonce, forKey: .nonce)
        try container.encode(fullName, forKey: .fullName)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(deviceName, forKey: .deviceName)
    }
}

/// A person's name as Apple gave it to the app at the first sign-in. Any part may be null.
public struct FullName: Hashable, Sendable {
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

    /// Creates a value for the service to send. Clients decode it.
    public init(
        givenName: String? = nil, familyName: String? = nil, middleName: String? = nil, namePrefix: String? = nil,
        nameSuffix: String? = nil, nickname: String? = nil
    ) {
        self.givenName = givenName
        self.familyName = familyName
        self.middleName = middleName
        self.namePrefix = namePrefix
        self.nameSuffix = nameSuffix
        self.nickname = nickname
    }
}

extension FullName: Codable {
    private enum CodingKeys: String, CodingKey {
        case givenName, familyName, middleName, namePrefix, nameSuffix, nickname
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
    }
}

/// The response to `POST /v1/sign-in/apple`.
public struct SignInAnswer: Hashable, Sendable, Codable {
    /// The account that the person signed in to.
    public var account: AccountBody
    /// The tokens of the new session.
    public var session: SessionBody
    /// Whether this sign-in created the account.
    public var isNewAccount: Bool

    /// Creates a value for the service to send. Clients decode it.
    public init(account: AccountBody, session: SessionBody, isNewAccount: Bool) {
        self.account = account
        self.session = session
        self.isNewAccount = isNewAccount
    }
}
