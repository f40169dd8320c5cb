import AppleIDTypes

extension Authority {
    /// Signs an identity token, wrongly or with wrong claims where a fault has it so.
    func sign(_ claims: IdentityTokenClaims) throws -> String {
        let kinds = faults.draw(
            [.wrongSignature, .unknownKey, .expiredToken, .otherAudience, .otherIssuer, .otherNonce],
            at: FaultDesk.endpoint
        ).map(\.kind)
        var claims = claims
        if kinds.contains(.expiredToken) {
            claims.issuedAt -= 2 * 86_400
            claims.expiresAt -= 2 * 86_400
        }
        if kinds.contains(.otherAudience) { claims.audience = "com.example.somebody-else" }
        if kinds.contains(.otherIssuer) { claims.issuer = "https://appleid.example.com" }
        if kinds.contains(.otherNonce) { claims.nonce = randomness.pageID() }
        return try sign(claims.json(current.quirks), spoiltBy: kinds)
    }

    /// Whatever is signed, Apple signs it with the same keys.
    func sign(_ claims: JSONText, spoiltBy kinds: [Fault.Kind] = []) throws -> String {
        let kid = kinds.contains(.unknownKey) ? KeyID(randomness.portalID()) : nil
        let token = try signingKeys[0].sign(claims, kid: kid)
        return kinds.contains(.wrongSignature) ? Self.spoilt(token) : token
    }

    /// The same with another character in the middle of the signature, where each counts whole.
    private static func spoilt(_ token: String) -> String {
        var bytes = Array(token.utf8)
        let index = bytes.count - 100
        bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }
}
