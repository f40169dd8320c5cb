public import AppleIDTypes
import Crypto

/// What a verified identity token says. Only ``IdentityVerifier`` makes one. Printing or mirroring it shows none of it.
public struct VerifiedIdentity: Hashable, Sendable, Redacted {
    /// For which of the expected clients the token was made.
    public let audience: ClientID
    /// ``NonceResult/matched`` unless the caller expected less.
    public let nonce: NonceResult
    private let digest: SHA256Digest
    /// Shared by all copies, of which a server makes many.
    private let read: TokenClaims
    private let required: TokenClaims.Required

    /// Nil while a claim that every identity token has is missing.
    init?(_ claims: TokenClaims, audience: ClientID, digest: SHA256Digest, nonce: NonceResult) {
        guard let required = claims.required else { return nil }
        self.audience = audience
        self.nonce = nonce
        self.digest = digest
        read = claims
        self.required = required
    }

    /// The key for the person's account, together with the team.
    public var subject: Subject { required.subject }
    /// When Apple made the token, in seconds since 1970.
    public var issuedAt: Int64 { required.issuedAt }
    /// Until when the token is good, in seconds since 1970.
    public var expiresAt: Int64 { required.expiresAt }
    /// The claims, put together at each call; an array of audiences is narrowed to the one that was expected.
    public var claims: IdentityTokenClaims { read.identityClaims(required, audience: audience) }
    /// The SHA-256 of the token's signing input, 32 bytes. It names the token for single use, since the rest of a token
    /// (its signature) can be written in one way only.
    public var signingInputDigest: [UInt8] { Array(digest) }

    /// The same token, verified for the same client, with the same outcome for its nonce.
    public static func == (left: Self, right: Self) -> Bool {
        left.digest == right.digest && left.audience == right.audience && left.nonce == right.nonce
    }

    /// Of what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
        hasher.combine(audience)
        hasher.combine(nonce)
    }

    /// A real or a relay address, or none. May change or vanish: never a key for an account.
    public var email: String? { read.email }
    /// False unless Apple says so.
    public var isEmailVerified: Bool { read.emailVerified == true }
    /// Whether ``email`` is a relay address. Apple often leaves the claim out instead of saying no.
    public var isPrivateEmail: Bool { read.isPrivateEmail == true }
}
