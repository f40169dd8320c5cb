public import AppleIDTypes

/// What a client holds of its session. Neither is kept by the server.
public struct SessionTokens: Hashable, Sendable, Redacted {
    /// A JWT (`at+jwt`, RFC 9068) for `Authorization: Bearer`.
    public var accessToken: String
    public var expiresIn: Duration
    /// Exchanged for its successor once.
    public var refreshToken: String

    public init(accessToken: String, expiresIn: Duration, refreshToken: String) {
        self.accessToken = accessToken
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
    }
}
