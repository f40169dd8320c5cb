/// The answer to `POST /v1/reauthenticate/apple`. The session and its refresh token stay as they are.
public struct ReauthenticationAnswer: Hashable, Sendable, Codable {
    /// For five minutes from here, calls that need a recent sign-in are done.
    public var authenticatedAt: APITime
    /// Says so to other services too; the former one stays good for its ten minutes.
    public var accessToken: String
    /// Always `Bearer`.
    public var tokenType: String
    /// Seconds until the access token is refused.
    public var expiresIn: Int

    public init(authenticatedAt: APITime, accessToken: String, tokenType: String = "Bearer", expiresIn: Int) {
        self.authenticatedAt = authenticatedAt
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresIn = expiresIn
    }
}
