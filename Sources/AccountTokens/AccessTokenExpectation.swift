/// What the claims of an access token have to be, and the judgement.
struct AccessTokenExpectation {
    /// How far two clocks may be apart, both ways, in seconds.
    static let leeway: Int64 = 60

    let issuer: String
    let audience: String

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - maximumAge: of the person's last authentication, in seconds.
    func check(_ claims: AccessTokenClaims, now: Int64, maximumAge: Int64?) throws(AccessTokenError) {
        // RFC 9068 §4. Byte by byte: `String` takes canonically equivalent texts for equal.
        guard claims.issuer.utf8.elementsEqual(issuer.utf8) else {
            throw AccessTokenError(.issuerMismatch, "the issuer is not \(issuer)")
        }
        guard claims.audience.utf8.elementsEqual(audience.utf8) else {
            throw AccessTokenError(.audienceMismatch, "the audience is not \(audience)")
        }
        // RFC 7519 §4.1.4, with the leeway that it allows.
        guard now - claims.expiresAt < Self.leeway else {
            throw AccessTokenError(.tokenExpired, "the token has expired")
        }
        // RFC 7519 §4.1.6.
        guard claims.issuedAt - now <= Self.leeway else {
            throw AccessTokenError(.issuedInFuture, "the token was issued in the future (iat)")
        }
        guard claims.authenticatedAt - now <= Self.leeway else {
            throw AccessTokenError(.issuedInFuture, "the person authenticated in the future (auth_time)")
        }
        // RFC 9068 §2.2.1 and RFC 9470 §5.
        if let maximumAge, now - claims.authenticatedAt > maximumAge {
            throw AccessTokenError(.authenticationTooOld, "the person authenticated too long ago (auth_time)")
        }
    }
}
