public import AppleIDTypes
import Crypto

/// What a verified identity token says. Only ``IdentityVerifier`` makes one.
public struct VerifiedIdentity: Hashable, Sendable {
    /// The claims; an array of audiences is narrowed to the one that was expected.
    public let claims: IdentityTokenClaims
    /// The SHA-256 of the token's signing input, 32 bytes. It names the token for single use, since the rest of a token
    /// (its signature) can be written in one way only.
    public var signingInputDigest: [UInt8] { Array(digest) }
    /// ``NonceResult/matched`` unless the caller expected less.
    public let nonce: NonceResult
    private let digest: SHA256Digest

    init(claims: IdentityTokenClaims, digest: SHA256Digest, nonce: NonceResult) {
        self.claims = claims
        self.digest = digest
        self.nonce = nonce
    }

    /// The key for the person's account, together with the team.
    public var subject: Subject { claims.subject }
    /// For which of the expected clients the token was made.
    public var audience: ClientID { claims.audience }
    /// A real or a relay address, or none. May change or vanish: never a key for an account.
    public var email: String? { claims.email }
    /// False unless Apple says so.
    public var isEmailVerified: Bool { claims.emailVerified == true }
    /// Whether ``email`` is a relay address. Apple often leaves the claim out instead of saying no.
    public var isPrivateEmail: Bool { claims.isPrivateEmail == true }
}
