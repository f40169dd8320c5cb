import StrictJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The claims of an access token (RFC 9068 §2.2), read from a payload whose signature is good, but not judged.
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
