/// The body of `POST /v1/sign-up`: a person wants an account for an email address. The response is an ``AcceptedAnswer``
/// whatever the address is, and the account exists once the person has followed the link in the mail.
public struct SignUpRequest: Hashable, Sendable {
    /// The email address.
    public var email: String
    /// The password that the person chose.
    public var password: String
    /// The person's name. Null if they gave none.
    public var fullName: FullName?

    /// Creates the body of a call.
    public init(email: String, password: String, fullName: FullName? = nil) {
        self.email = email
        self.password = password
        self.fullName = fullName
    }
}

extension SignUpRequest: Codable {
    private enum CodingKeys: String, CodingKey { case email, password, fullName }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(email, forKey: .email)
        try container.encode(password, forKey: .password)
        try container.encode(fullName, forKey: .fullName)
    }
}

/// The body of `POST /v1/sign-in/password`. The response is a ``SignInAnswer``.
public struct PasswordSignInRequest: Hashable, Sendable {
    /// The email address, in any case of letters.
    public var email: String
    /// The password, as the person typed it.
    public var password: String
    /// The app that signs in, if the server knows several. Null otherwise.
    public var clientID: String?
    /// The name by which the person knows the device, for the list of sessions. The service cuts it to 64 characters
    /// and drops control characters.
    public var deviceName: String?

    /// Creates the body of a call.
    public init(email: String, password: String, clientID: String? = nil, deviceName: String? = nil) {
        self.email = email
        self.password = password
        self.clientID = clientID
        self.deviceName = deviceName
    }
}

extension PasswordSignInRequest: Codable {
    private enum CodingKeys: String, CodingKey { case email, password, clientID, deviceName }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(email, forKey: .email)
        try container.encode(password, forKey: .password)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(deviceName, forKey: .deviceName)
    }
}

/// The response, `{}`, to a request for mail. It is the same whether the address has an account or not.
public struct AcceptedAnswer: Hashable, Sendable, Codable {
    /// Creates a value for the service to send. Clients decode it.
    public init() {}
}

/// The ways in which a person can sign in to their account.
public struct WaysInBody: Hashable, Sendable {
    /// Whether the person can sign in with Apple.
    public var apple: Bool
    /// The address with which the person signs in by password or by a link in a mail. Null if there is none.
    public var email: String?
    /// Whether the person can sign in with ``email`` and a password.
    public var hasPassword: Bool
    /// The ids of the other providers with which the person can sign in. Empty from an older server.
    public var providers: [String]

    /// Creates a value for the service to send. Clients decode it.
    public init(apple: Bool, email: String?, hasPassword: Bool, providers: [String] = []) {
        self.apple = apple
        self.email = email
        self.hasPassword = hasPassword
        self.providers = providers
    }
}

extension WaysInBody: Codable {
    private enum CodingKeys: String, CodingKey { case apple, email, hasPassword, providers }

    /// Reads the value. An older server doesn't tell the providers.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        apple = try container.decode(Bool.self, forKey: .apple)
        email = try container.decodeIfPresent(String.self, forKey: .email)
        hasPassword = try container.decode(Bool.self, forKey: .hasPassword)
        providers = try container.decodeIfPresent([String].self, forKey: .providers) ?? []
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(apple, forKey: .apple)
        try container.encode(email, forKey: .email)
        try container.encode(hasPassword, forKey: .hasPassword)
        try container.encode(providers, forKey: .providers)
    }
}
