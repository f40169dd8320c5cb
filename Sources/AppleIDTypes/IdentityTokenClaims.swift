/// The claims of an identity token, as Apple documents and as real tokens carry them.
///
/// The names are Swift's; each property says which claim it stands for. Times are seconds since 1970. Nothing here is
/// checked: what came out of a verifier is another type. Printing or mirroring it shows none of them.
public struct IdentityTokenClaims: Hashable, Sendable, Redacted {
    /// The issuer, Apple (`iss`).
    public var issuer: String
    /// The person, as the client's team knows them (`sub`).
    public var subject: Subject
    /// The client that the token is for (`aud`).
    public var audience: ClientID
    /// The time when Apple made the token, in seconds since 1970 (`iat`).
    public var issuedAt: Int64
    /// The time until which the token is good, in seconds since 1970 (`exp`).
    public var expiresAt: Int64
    /// The nonce of the request, verbatim (`nonce`).
    public var nonce: String?
    /// Whether the person's platform could carry a nonce (`nonce_supported`).
    public var nonceSupported: Bool?
    /// The person's real address or a relay address (`email`). It may change or vanish: never a key for an account.
    public var email: String?
    /// Whether Apple has verified the address (`email_verified`).
    public var emailVerified: Bool?
    /// Whether ``email`` is a relay address (`is_private_email`); often absent instead of false.
    public var isPrivateEmail: Bool?
    /// Apple's opinion whether the person is real (`real_user_status`).
    public var realUserStatus: RealUserStatus?
    /// The time when the person signed in at Apple, in seconds since 1970 (`auth_time`).
    public var authenticatedAt: Int64?
    /// The hash that binds the token to the code delivered beside it (`c_hash`).
    public var codeHash: String?
    /// The hash that binds the token to the access token delivered beside it (`at_hash`).
    public var accessTokenHash: String?
    /// The person's transfer subject, for sixty days after an app moved to another team (`transfer_sub`).
    public var transferSubject: Subject?
    /// The school or business that manages the person's account (`org_id`); absent for all other accounts.
    public var organizationID: String?
    /// The parts of a school's roster that the app may read (`scopes`); in tokens of managed accounts only.
    public var rosterScopes: [Scope]?

    /// Creates the claims that every identity token has; the others are absent until they are set.
    public init(issuer: String, subject: Subject, audience: ClientID, issuedAt: Int64, expiresAt: Int64) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

/// Apple's opinion whether a person is real. It is advice, and comes with a first sign-in on a device only.
public struct RealUserStatus: RawRepresentable, Hashable, Sendable, Codable {
    /// Apple's number. Other numbers than those of the constants may come.
    public let rawValue: Int

    /// Creates a status from any number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The platform does not judge. Treat the person as with ``unknown``.
    public static let unsupported = Self(rawValue: 0)
    /// Apple does not know. Treat the person like any new person, and never block them for this.
    public static let unknown = Self(rawValue: 1)
    /// Apple thinks that the person is real. Spare them whatever else would test that.
    public static let likelyReal = Self(rawValue: 2)
}
