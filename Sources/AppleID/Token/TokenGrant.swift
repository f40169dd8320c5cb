/// What Apple gave for an authorization code.
public struct TokenGrant: Sendable {
    /// Of the identity token in the answer, which was verified like any other.
    public let identity: VerifiedIdentity
    /// Good for revoking, where there is no refresh token, and for nothing else.
    public let accessToken: AccessToken
    /// To be kept, sealed: it tells each day whether the person still uses the app, and is revoked with their account.
    public let refreshToken: RefreshToken?
    /// How long the access token lives.
    public let expiresIn: Duration
}
