/// What Apple gave for an authorization code.
public struct TokenGrant: Sendable {
    /// Of the identity token in the answer, which was verified like any other.
    public let identity: VerifiedIdentity
    public let accessToken: AccessToken
    public let refreshToken: RefreshToken?
    /// How long the access token lives.
    public let expiresIn: Duration
}
