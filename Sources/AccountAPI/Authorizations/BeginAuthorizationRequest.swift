/// The body of `POST /v1/authorizations`: an app without Apple's framework asks for what the framework would give it.
///
/// With a redirect URI the answer is a ``RedirectAuthorizationAnswer``, without one a ``DeviceAuthorizationAnswer``.
public struct BeginAuthorizationRequest: Hashable, Sendable {
    /// The id under which this server knows the app.
    public var app: String
    /// Where the browser goes afterwards: one of the app's return targets. Null for an app that no browser can return
    /// to.
    public var redirectURI: String?
    /// The S256 challenge of RFC 7636: 43 base64url characters.
    public var codeChallenge: String
    /// `name` and `email`, separated by a space, or a part of that; may be empty.
    public var scope: String
    /// Handed to Apple unchanged, and found again in the identity token: usually the lowercase hexadecimal SHA-256 of
    /// the raw nonce.
    public var nonce: String?
    /// Comes back with the credential, and never leaves this server before.
    public var state: String?

    public init(
        app: String, redirectURI: String?, codeChallenge: String, scope: String = "name email", nonce: String? = nil,
        state: String? = nil
    ) {
        self.app = app
        self.redirectURI = redirectURI
        self.codeChallenge = codeChallenge
        self.scope = scope
        self.nonce = nonce
        self.state = state
    }
}

extension BeginAuthorizationRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case app, redirectURI, codeChallenge, scope, nonce, state
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(app, forKey: .app)
        try container.encode(redirectURI, forKey: .redirectURI)
        try container.encode(codeChallenge, forKey: .codeChallenge)
        try container.encode(scope, forKey: .scope)
        try container.encode(nonce, forKey: .nonce)
        try container.encode(state, forKey: .state)
    }
}
