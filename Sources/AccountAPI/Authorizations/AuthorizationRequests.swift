/// The body of `POST /v1/authorizations`: an app without Apple's framework asks for the credential that the framework
/// would give it.
///
/// The answer to a request with a redirect URI is a ``RedirectAuthorizationAnswer``, otherwise a
/// ``DeviceAuthorizationAnswer``.
public struct BeginAuthorizationRequest: Hashable, Sendable {
    /// The id under which this server knows the app.
    public var app: String
    /// The address that the browser goes to afterwards: one of the app's return targets. Null for an app that no
    /// browser can return to.
    public var redirectURI: String?
    /// The S256 challenge of RFC 7636: 43 base64url characters.
    public var codeChallenge: String
    /// `name` and `email`, separated by a space, or one of them, or nothing.
    public var scope: String
    /// The nonce that Apple or the provider is given unchanged and that the identity token then holds: usually the lowercase
    /// hexadecimal SHA-256 of the raw nonce.
    public var nonce: String?
    /// A text that comes back with the credential. Before that it never leaves this server.
    public var state: String?
    /// The id of the provider with which the person signs in. Null for Apple. A provider needs a nonce.
    public var provider: String?

    /// Creates the body of a call.
    public init(
        app: String, redirectURI: String?, codeChallenge: String, scope: String = "name email", nonce: String? = nil,
        state: String? = nil, provider: String? = nil
    ) {
        self.app = app
        self.redirectURI = redirectURI
        self.codeChallenge = codeChallenge
        self.scope = scope
        self.nonce = nonce
        self.state = state
        self.provider = provider
    }
}

extension BeginAuthorizationRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case app, redirectURI, codeChallenge, scope, nonce, state, provider
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(app, forKey: .app)
        try container.encode(redirectURI, forKey: .redirectURI)
        try container.encode(codeChallenge, forKey: .codeChallenge)
        try container.encode(scope, forKey: .scope)
        try container.encode(nonce, forKey: .nonce)
        try container.encode(state, forKey: .state)
        try container.encode(provider, forKey: .provider)
    }
}

/// The body of `POST /v1/authorizations/redeem`: a handle or a device code, and the verifier.
public struct RedeemAuthorizationRequest: Hashable, Sendable {
    /// The handle from the redirect. It is good for one minute and one try.
    public var handle: String?
    /// The device code of an authorization without a redirect URI.
    public var deviceCode: String?
    /// The text that the challenge was made from (RFC 7636 §4.1): 43 to 128 unreserved characters.
    public var codeVerifier: String

    /// Asks with the handle that the browser brought.
    public init(handle: String, codeVerifier: String) {
        self.handle = handle
        self.codeVerifier = codeVerifier
    }

    /// Asks with a device code.
    public init(deviceCode: String, codeVerifier: String) {
        self.deviceCode = deviceCode
        self.codeVerifier = codeVerifier
    }
}

extension RedeemAuthorizationRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case handle, deviceCode, codeVerifier
    }

    /// Writes the member that is there. The other one is not an unknown value, but no part of the request.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(handle, forKey: .handle)
        try container.encodeIfPresent(deviceCode, forKey: .deviceCode)
        try container.encode(codeVerifier, forKey: .codeVerifier)
    }
}

/// The body of `POST /v1/authorizations/cancel`, by which the app gives up: an id or a device code, and the verifier.
public struct CancelAuthorizationRequest: Hashable, Sendable {
    /// The id of an authorization with a redirect URI.
    public var id: String?
    /// The device code of an authorization without a redirect URI.
    public var deviceCode: String?
    /// Proves that the app began the authorization. The browser knows the id too, so the id alone does not.
    public var codeVerifier: String

    /// Gives up an authorization with a redirect URI.
    public init(id: String, codeVerifier: String) {
        self.id = id
        self.codeVerifier = codeVerifier
    }

    /// Gives up an authorization without a redirect URI.
    public init(deviceCode: String, codeVerifier: String) {
        self.deviceCode = deviceCode
        self.codeVerifier = codeVerifier
    }
}

extension CancelAuthorizationRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, deviceCode, codeVerifier
    }

    /// Writes the member that is there. The other one is not an unknown value, but no part of the request.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(id, forKey: .id)
        try container.encodeIfPresent(deviceCode, forKey: .deviceCode)
        try container.encode(codeVerifier, forKey: .codeVerifier)
    }
}
