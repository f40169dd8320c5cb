public import AppleIDTypes

/// What an app asks for, as it came; ``Authorizations/begin(_:from:)`` judges it.
public struct BeginAuthorization: Sendable, Redacted {
    public var app: AppID
    /// Nil for the device flow.
    public var redirectURI: String?
    /// 43 base64url characters of a SHA-256 (RFC 7636, S256).
    public var codeChallenge: String
    /// The words `name` and `email`, separated by spaces.
    public var scope: String
    public var nonce: String?
    public var state: String?

    public init(
        app: AppID, redirectURI: String?, codeChallenge: String, scope: String, nonce: String?, state: String?
    ) {
        self.app = app
        self.redirectURI = redirectURI
        self.codeChallenge = codeChallenge
        self.scope = scope
        self.nonce = nonce
        self.state = state
    }
}
