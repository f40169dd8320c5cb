/// The tokens of a session, in answers to a sign-in and to a refresh.
public struct SessionBody: Hashable, Sendable, Codable {
    /// Goes into `Authorization: Bearer`.
    public var accessToken: String
    /// Always `Bearer`.
    public var tokenType: String
    /// Seconds until the access token is refused.
    public var expiresIn: Int
    /// Good for one refresh; the answer to it brings the next.
    public var refreshToken: String

    public init(accessToken: String, tokenType: String = "Bearer", expiresIn: Int, refreshToken: String) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
    }
}
