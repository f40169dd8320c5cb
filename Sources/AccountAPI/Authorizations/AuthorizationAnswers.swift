/// The response to `POST /v1/authorizations` with a redirect URI.
public struct RedirectAuthorizationAnswer: Hashable, Sendable, Codable {
    /// The id of the authorization (`aut_…`). It comes back as `id` in the redirect, so that the app knows which of its
    /// requests was answered.
    public var id: String
    /// A page of this server. The app opens it in the person's browser.
    public var url: String
    /// The time from which on the browser brings an error instead.
    public var expiresAt: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(id: String, url: String, expiresAt: APITime) {
        self.id = id
        self.url = url
        self.expiresAt = expiresAt
    }
}

/// The response to `POST /v1/authorizations` without a redirect URI, in the manner of RFC 8628 §3.2.
public struct DeviceAuthorizationAnswer: Hashable, Sendable, Codable {
    /// A secret of the app, with which it asks for the credential.
    public var deviceCode: String
    /// The code that the person types: two groups of four letters with a hyphen between.
    public var userCode: String
    /// The page on which the person types the code.
    public var verificationURL: String
    /// The seconds that the app waits between two requests.
    public var interval: Int
    /// The time at which both codes expire.
    public var expiresAt: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(deviceCode: String, userCode: String, verificationURL: String, interval: Int, expiresAt: APITime) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.verificationURL = verificationURL
        self.interval = interval
        self.expiresAt = expiresAt
    }
}

/// The response to `POST /v1/authorizations/redeem`: the credential that Apple's framework would have given the app, or
/// another provider's.
public struct AuthorizationCredentialBody: Hashable, Sendable {
    /// Apple's identifier of the person, for the app's team; or the provider's (`sub`).
    public var user: String
    /// The identity token of Apple or the provider, in compact form. A provider's is good for one
    /// `POST /v1/sign-in/{provider}` within ten minutes.
    public var identityToken: String
    /// A code of this server. It is good for one `POST /v1/sign-in/apple` within five minutes. If the app is set up to
    /// get Apple's own code, it is that one. Null for another provider.
    public var authorizationCode: String?
    /// The address. Apple gives it only when the person consents for the first time.
    public var email: String?
    /// The name. Apple gives it only when the person consents for the first time.
    public var fullName: FullName?
    /// The scopes that were granted, separated by a space.
    public var scope: String
    /// The `state` of the app's request.
    public var state: String?

    /// Creates a value for the service to send. Clients decode it.
    public init(
        user: String, identityToken: String, authorizationCode: String?, email: String?, fullName: FullName?,
        scope: String, state: String?
    ) {
        self.user = user
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.email = email
        self.fullName = fullName
        self.scope = scope
        self.state = state
    }
}

extension AuthorizationCredentialBody: Codable {
    private enum CodingKeys: String, CodingKey {
        case user, identityToken, authorizationCode, email, fullName, scope, state
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(user, forKey: .user)
        try container.encode(identityToken, forKey: .identityToken)
        try container.encode(authorizationCode, forKey: .authorizationCode)
        try container.encode(email, forKey: .email)
        try container.encode(fullName, forKey: .fullName)
        try container.encode(scope, forKey: .scope)
        try container.encode(state, forKey: .state)
    }
}
