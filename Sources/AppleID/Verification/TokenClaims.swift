import AppleIDTypes
import StrictJSON

/// The claims of a payload, read but not judged.
struct TokenClaims: Sendable {
    let issuer: Claim<String>
    /// `aud`: one, or several in an array.
    let audiences: Claim<[String]>
    let expiresAt: Claim<Int64>
    let issuedAt: Claim<Int64>
    let subject: Claim<String>
    let nonce: Claim<String>
    let nonceSupported: Bool?
    let codeHash: Claim<String>
    let accessTokenHash: Claim<String>
    /// `jti`
    let identifier: Claim<String>
    /// `events`, which only notifications have.
    let events: JSONValue?
    private let payload: JSONValue

    /// Nil when the payload is no object.
    init?(_ payload: JSONValue) {
        guard payload.kind == .object else { return nil }
        self.payload = payload
        issuer = Claim(payload["iss"], \.string)
        audiences = Claim(payload["aud"], Self.audiences)
        expiresAt = Claim(payload["exp"], Self.numericDate)
        issuedAt = Claim(payload["iat"], Self.numericDate)
        subject = Claim(payload["sub"], \.string)
        nonce = Claim(payload["nonce"], \.string)
        nonceSupported = payload["nonce_supported"].flatMap(Self.bool)
        codeHash = Claim(payload["c_hash"], \.string)
        accessTokenHash = Claim(payload["at_hash"], \.string)
        identifier = Claim(payload["jti"], \.string)
        events = payload["events"]
    }

    /// The claims in Apple's words, with one audience of possibly several; nil while a claim that every identity token
    /// has is missing. Optional claims of a type nobody expects count as absent.
    func identityClaims(audience: String?) -> IdentityTokenClaims? {
        guard let issuer = issuer.lenient, let subject = subject.lenient, let issuedAt = issuedAt.lenient,
            let expiresAt = expiresAt.lenient, let audience = audience ?? audiences.lenient?.first
        else { return nil }
        var claims = IdentityTokenClaims(
            issuer: issuer, subject: Subject(subject), audience: ClientID(audience), issuedAt: issuedAt,
            expiresAt: expiresAt)
        claims.nonce = nonce.lenient
        claims.nonceSupported = nonceSupported
        claims.email = text("email")
        claims.emailVerified = payload["email_verified"].flatMap(Self.bool)
        claims.isPrivateEmail = payload["is_private_email"].flatMap(Self.bool)
        claims.realUserStatus = payload["real_user_status"]?.int64.flatMap { Int(exactly: $0) }
            .map(RealUserStatus.init(rawValue:))
        claims.authenticatedAt = payload["auth_time"].flatMap(Self.numericDate)
        claims.codeHash = codeHash.lenient
        claims.accessTokenHash = accessTokenHash.lenient
        claims.transferSubject = text("transfer_sub").map { Subject($0) }
        claims.organizationID = text("org_id")
        return claims
    }

    /// Managed accounts may have an empty address: no address.
    private func text(_ name: String) -> String? {
        payload[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Seconds since 1970 (RFC 7519 §2, NumericDate). A fraction is cut off; what no clock will ever show is refused, so
    /// that later sums cannot overflow.
    static func numericDate(_ value: JSONValue) -> Int64? {
        guard let seconds = value.int64 ?? value.double.flatMap({ Int64(exactly: $0.rounded(.down)) }),
            (-Self.latest...Self.latest).contains(seconds)
        else { return nil }
        return seconds
    }

    /// The end of the year 9999.
    private static let latest: Int64 = 253_402_300_799

    /// Apple has sent these claims as text and, since 2024, as booleans. Anything else is unknown, never an error.
    static func bool(_ value: JSONValue) -> Bool? {
        switch value.kind {
        case .bool:
            return value.bool
        case .string:
            let text = value.string
            return text == "true" ? true : text == "false" ? false : nil
        default:
            return nil
        }
    }

    private static func audiences(_ value: JSONValue) -> [String]? {
        if let audience = value.string { return [audience] }
        guard value.kind == .array else { return nil }
        var audiences: [String] = []
        for element in value.elements {
            guard let audience = element.string else { return nil }
            audiences.append(audience)
        }
        return audiences
    }
}
