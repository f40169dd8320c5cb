/// The body of `POST /v1/sign-in/link`: the person wants a mail with a link that signs them in. The response is an
/// ``AcceptedAnswer`` whatever the address is.
public struct SignInLinkRequest: Hashable, Sendable, Codable {
    /// The email address.
    public var email: String

    /// Creates the body of a call.
    public init(email: String) {
        self.email = email
    }
}

/// The body of `POST /v1/email-links`: a question about a link from a mail. It doesn't use the link up.
public struct EmailLinkRequest: Hashable, Sendable, Codable {
    /// The secret in the link: the last part of its path.
    public var link: String

    /// Creates the body of a call.
    public init(link: String) {
        self.link = link
    }
}

/// The response to `POST /v1/email-links`.
public struct EmailLinkAnswer: Hashable, Sendable {
    /// The thing that a link from a mail does. Later versions may add values.
    public struct Purpose: RawRepresentable, Hashable, Sendable, Codable {
        /// The value as the response spells it.
        public let rawValue: String

        /// Makes a value, known or not, from its spelling in a response.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The link completes a sign-up: `POST /v1/sign-up/finish` takes it.
        public static let signUp = Self(rawValue: "sign_up")
        /// The link signs in: `POST /v1/sign-in/link/finish` takes it.
        public static let signIn = Self(rawValue: "sign_in")
        /// The link sets a new password: `POST /v1/password/reset` takes it.
        public static let reset = Self(rawValue: "reset")
        /// The link adds the address to the account of the session that asked: `POST /v1/link/password/finish` takes it.
        public static let link = Self(rawValue: "link")
    }

    /// The thing that the link does.
    public var purpose: Purpose
    /// The address to which the link was sent. Null unless the browser that asks is the one that requested the link, so
    /// apps always get null.
    public var address: String?
    /// The time from which on the link doesn't work.
    public var expiresAt: APITime
    /// Whether the call that uses the link must name the address to which it was sent: always to sign in, and beside a
    /// new password to complete a sign-up.
    public var needsEmail: Bool

    /// Creates a value for the service to send. Clients decode it.
    public init(purpose: Purpose, address: String?, expiresAt: APITime, needsEmail: Bool) {
        self.purpose = purpose
        self.address = address
        self.expiresAt = expiresAt
        self.needsEmail = needsEmail
    }
}

extension EmailLinkAnswer: Codable {
    private enum CodingKeys: String, CodingKey { case purpose, address, expiresAt, needsEmail }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(purpose, forKey: .purpose)
        try container.encode(address, forKey: .address)
        try container.encode(expiresAt, forKey: .expiresAt)
        try container.encode(needsEmail, forKey: .needsEmail)
    }
}

/// The body of `POST /v1/sign-up/finish`: the link from the mail, and the password once more or a new one. The response
/// is a ``SignInAnswer``.
public struct SignUpFinishRequest: Hashable, Sendable {
    /// The secret in the link: the last part of its path.
    public var link: String
    /// The password of the sign-up, repeated. Null if ``newPassword`` takes its place.
    public var password: String?
    /// Another password than the one of the sign-up. The service then drops the name of the sign-up too, because somebody
    /// else may have written it. Null if ``password`` is there.
    public var newPassword: String?
    /// The address to which the link was sent, as the person types it. A ``newPassword`` needs it: the service answers
    /// ``ErrorCode/emailNeeded`` if it is null or another one. Null beside ``password``.
    public var email: String?
    /// The app that signs in, if the server knows several. Null otherwise.
    public var clientID: String?
    /// The name by which the person knows the device, for the list of sessions. The service cuts it to 64 characters
    /// and drops control characters.
    public var deviceName: String?

    /// Creates the body of a call.
    public init(
        link: String, password: String? = nil, newPassword: String? = nil, email: String? = nil,
        clientID: String? = nil, deviceName: String? = nil
    ) {
        self.link = link
        self.password = password
        self.newPassword = newPassword
        self.email = email
        self.clientID = clientID
        self.deviceName = deviceName
    }
}

extension SignUpFinishRequest: Codable {
    private enum CodingKeys: String, CodingKey { case link, password, newPassword, email, clientID, deviceName }

    /// Writes every member but the password and the address that aren't there. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(link, forKey: .link)
        try container.encodeIfPresent(password, forKey: .password)
        try container.encodeIfPresent(newPassword, forKey: .newPassword)
        try container.encodeIfPresent(email, forKey: .email)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(deviceName, forKey: .deviceName)
    }
}

/// The body of `POST /v1/sign-in/link/finish`. The response is a ``SignInAnswer``.
public struct SignInLinkFinishRequest: Hashable, Sendable {
    /// The secret in the link: the last part of its path.
    public var link: String
    /// The address to which the link was sent. The service answers ``ErrorCode/emailNeeded`` if it is null although
    /// ``EmailLinkAnswer/needsEmail`` is true.
    public var email: String?
    /// The app that signs in, if the server knows several. Null otherwise.
    public var clientID: String?
    /// The name by which the person knows the device, for the list of sessions. The service cuts it to 64 characters
    /// and drops control characters.
    public var deviceName: String?

    /// Creates the body of a call.
    public init(link: String, email: String?, clientID: String? = nil, deviceName: String? = nil) {
        self.link = link
        self.email = email
        self.clientID = clientID
        self.deviceName = deviceName
    }
}

extension SignInLinkFinishRequest: Codable {
    private enum CodingKeys: String, CodingKey { case link, email, clientID, deviceName }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(link, forKey: .link)
        try container.encode(email, forKey: .email)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(deviceName, forKey: .deviceName)
    }
}
