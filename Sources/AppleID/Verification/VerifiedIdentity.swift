public import AppleIDTypes
import Crypto

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A verified identity token. Only ``IdentityVerifier`` makes one. Printing or mirroring it shows nothing of it.
public struct VerifiedIdentity: Hashable, Sendable, Redacted {
    /// The client, one of those expected, that the token was made for.
    public let audience: ClientID
    /// The answer to the expected nonce: ``NonceResult/matched`` unless the caller expected less.
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

    /// The person's subject: the key for their account, together with the team.
    public var subject: Subject { required.subject }
    /// The time when Apple made the token, in whole seconds.
    public var issuedAt: Date { Date(timeIntervalSince1970: Double(required.issuedAt)) }
    /// The time until which the token is good, in whole seconds.
    public var expiresAt: Date { Date(timeIntervalSince1970: Double(required.expiresAt)) }
    /// The claims, put together at each call. An array of audiences is narrowed to the one that was expected.
    public var claims: IdentityTokenClaims { read.identityClaims(required, audience: audience) }
    /// The SHA-256 of the token's signing input, 32 bytes.
    ///
    /// It names the token for single use, since the rest of a token, its signature, can be written in one way only.
    public var signingInputDigest: [UInt8] { Array(digest) }

    /// Returns whether both are the same token, verified for the same client, with the same outcome for the nonce.
    public static func == (left: Self, right: Self) -> Bool {
        left.digest == right.digest && left.audience == right.audience && left.nonce == right.nonce
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
        hasher.combine(audience)
        hasher.combine(nonce)
    }

    /// The person's real address or a relay address, if any. It may change or vanish: never a key for an account.
    public var email: String? { read.email }
    /// Whether Apple has verified ``email``; false unless Apple says so.
    public var isEmailVerified: Bool { read.emailVerified == true }
    /// Whether ``email`` is a relay address. Apple often leaves the claim out instead of saying no.
    public var isPrivateEmail: Bool { read.isPrivateEmail == true }
}

/// The way in which a verified token answers the expected nonce.
@nonexhaustive
public enum NonceResult: Hashable, Sendable {
    /// The token carries the expected nonce.
    case matched
    /// The token carries no nonce and says that its platform supports none.
    ///
    /// It occurs only if ``IdentityExpectation/acceptsUnsupportedNonce`` is set, and when a code is exchanged, which is
    /// the other proof that is needed.
    case unsupported
    /// No nonce was expected: the token came from Apple's token endpoint, or its request had none.
    case notExpected
}
