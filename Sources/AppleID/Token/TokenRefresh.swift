/// What Apple said to a refresh token: that it lives, and what comes with that.
public struct TokenRefresh: Sendable {
    /// Apple documents an identity token in the answer, and many never got one: absent says nothing.
    public let identity: VerifiedIdentity?
    /// A new one, of as little use as the first.
    public let accessToken: AccessToken
    /// Apple has not been seen to send one; the token that was asked about stays good. If one comes, it is the one to
    /// keep.
    public let refreshToken: RefreshToken?
    /// How long the access token lives.
    public let expiresIn: Duration
}
