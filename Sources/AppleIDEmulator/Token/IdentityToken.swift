import AppleIDTypes
import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension EmulatorCore {
    /// Signs an identity token. A fault may make the claims or the signature wrong.
    func signIdentityToken(_ claims: IdentityTokenClaims) throws -> String {
        let kinds = faults.draw(
            [.wrongSignature, .unknownKey, .expiredToken, .otherAudience, .otherIssuer, .otherNonce],
            at: FaultInjector.endpoint
        ).map(\.kind)
        var claims = claims
        if kinds.contains(.expiredToken) {
            claims.issuedAt -= 2 * 86_400
            claims.expiresAt -= 2 * 86_400
        }
        if kinds.contains(.otherAudience) { claims.audience = "com.example.somebody-else" }
        if kinds.contains(.otherIssuer) { claims.issuer = "https://appleid.example.com" }
        if kinds.contains(.otherNonce) { claims.nonce = randomness.pageID() }
        return try sign(claims.json(current.behaviour), spoiltBy: kinds)
    }

    /// Signs any claims, because Apple signs identity tokens and notifications with the same keys.
    func sign(_ claims: JSONText, spoiltBy kinds: [Fault.Kind] = []) throws -> String {
        let kid = kinds.contains(.unknownKey) ? KeyID(randomness.portalID()) : nil
        let token = try signingKeys[0].sign(claims, kid: kid)
        return kinds.contains(.wrongSignature) ? Self.spoilt(token) : token
    }

    /// Returns the token with another character in the middle of its signature, where every character matters.
    private static func spoilt(_ token: String) -> String {
        var bytes = Array(token.utf8)
        let index = bytes.count - 100
        bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension IdentityTokenClaims {
    /// The claims in the order that real tokens have. A claim without a value is absent. The behaviour decides no claim,
    /// only how truth values are spelt.
    func json(_ behaviour: Behaviour) -> JSONText {
        func flag(_ value: Bool?) -> JSONText? {
            value.map { behaviour.booleanClaims == .texts ? .string($0 ? "true" : "false") : .bool($0) }
        }
        return .object([
            ("iss", .string(issuer)),
            ("aud", .string(audience.rawValue)),
            ("exp", .integer(expiresAt)),
            ("iat", .integer(issuedAt)),
            ("sub", .string(subject.rawValue)),
            ("transfer_sub", .string(transferSubject?.rawValue)),
            ("nonce", .string(nonce)),
            ("c_hash", .string(codeHash)),
            ("at_hash", .string(accessTokenHash)),
            ("email", .string(email)),
            ("email_verified", flag(emailVerified)),
            ("is_private_email", flag(isPrivateEmail)),
            ("auth_time", authenticatedAt.map { .integer($0) }),
            ("nonce_supported", nonceSupported.map { .bool($0) }),
            ("org_id", .string(organizationID)),
            ("real_user_status", realUserStatus.map { .integer(Int64($0.rawValue)) }),
        ])
    }
}

/// `c_hash` and `at_hash` (OpenID Connect Core §3.3.2.11): the left half of a SHA-256, in base64url.
enum HalfHash {
    static func of(_ text: String) -> String {
        Base64URL.encode(SHA256.hash(data: Data(text.utf8)).prefix(16))
    }
}
