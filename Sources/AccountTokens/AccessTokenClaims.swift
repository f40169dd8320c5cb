import StrictJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The claims of an access token (RFC 9068 §2.2), read from a payload whose signature is good, but not checked.
///
/// All of them have to be there and have the type that the account service writes: an `aud` in an array is not its own.
struct AccessTokenClaims {
    let issuer: String
    let audience: String
    let subject: String
    let sessionID: String
    let clientID: String
    let tokenID: String
    /// Seconds since 1970, as all times here.
    let issuedAt: Int64
    let expiresAt: Int64
    let authenticatedAt: Int64

    init(_ payload: [UInt8]) throws(AccessTokenError) {
        let object = try strictObject(payload, named: "payload")
        issuer = try Self.text("iss", in: object)
        audience = try Self.text("aud", in: object)
        subject = try Self.text("sub", in: object)
        sessionID = try Self.text("sid", in: object)
        clientID = try Self.text("client_id", in: object)
        tokenID = try Self.text("jti", in: object)
        issuedAt = try Self.time("iat", in: object)
        expiresAt = try Self.time("exp", in: object)
        authenticatedAt = try Self.time("auth_time", in: object)
    }

    /// 1 to 512 bytes: a URL of the service is the longest there is.
    private static func text(_ name: String, in object: JSONValue) throws(AccessTokenError) -> String {
        guard let text = object[name]?.string, (1...512).contains(text.utf8.count) else {
            throw AccessTokenError(.malformedClaim, "the claim \(name) is missing or not a text of usual length")
        }
        return text
    }

    /// Up to the end of the year 9999, so that sums cannot overflow.
    private static func time(_ name: String, in object: JSONValue) throws(AccessTokenError) -> Int64 {
        guard let seconds = object[name]?.int64, (0...253_402_300_799).contains(seconds) else {
            throw AccessTokenError(.malformedClaim, "the claim \(name) is missing or not a number of whole seconds")
        }
        return seconds
    }
}

/// The values that the claims of an access token have to have, and the check.
struct AccessTokenExpectation {
    /// The maximum difference between two clocks, in both directions, in seconds.
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
