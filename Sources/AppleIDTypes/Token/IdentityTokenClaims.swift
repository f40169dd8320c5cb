/// The claims of an identity token, as Apple documents and as real tokens carry them.
///
/// The names are Swift's; each property says which claim it stands for. Times are seconds since 1970. Nothing here is
/// checked: what came out of a verifier is another type. Printing or mirroring it shows none of them.
public struct IdentityTokenClaims: Hashable, Sendable, Redacted {
    /// `iss`
    public var issuer: String
    /// `sub`
    public var subject: Subject
    /// `aud`
    public var audience: ClientID
    /// `iat`
    public var issuedAt: Int64
    /// `exp`
    public var expiresAt: Int64
    /// `nonce`: the value of the request, verbatim
    public var nonce: String?
    /// `nonce_supported`: whether the platform could carry a nonce
    public var nonceSupported: Bool?
    /// `email`: a real or a relay address; may change or vanish, never a key
    public var email: String?
    /// `email_verified`
    public var emailVerified: Bool?
    /// `is_private_email`: whether ``email`` is a relay address; often absent instead of false
    public var isPrivateEmail: Bool?
    /// `real_user_status`
    public var realUserStatus: RealUserStatus?
    /// `auth_time`
    public var authenticatedAt: Int64?
    /// `c_hash`: binds the token to the code delivered beside it
    public var codeHash: String?
    /// `at_hash`: binds the token to the access token delivered beside it
    public var accessTokenHash: String?
    /// `transfer_sub`: for sixty days after an app moved to another team
    public var transferSubject: Subject?
    /// `org_id`: managed accounts of schools and businesses only
    public var organizationID: String?
    /// `scopes`: managed accounts of schools only, what of their rosters the app may read
    public var rosterScopes: [Scope]?

    /// What every identity token has; the rest is absent until it is set.
    public init(issuer: String, subject: Subject, audience: ClientID, issuedAt: Int64, expiresAt: Int64) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}
