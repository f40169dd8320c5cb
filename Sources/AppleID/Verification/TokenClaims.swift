import AppleIDTypes
import StrictJSON

/// The claims of a payload, read but not judged. A class, because every rule looks at them and none should copy them.
final class TokenClaims: Sendable {
    /// RFC 7519 §4.1.3: `aud` in either form.
    enum Audience: Sendable {
        case one(String)
        case several([String])

        func first(where isExpected: (String) -> Bool) -> String? {
            switch self {
            case .one(let audience): isExpected(audience) ? audience : nil
            case .several(let audiences): audiences.first(where: isExpected)
            }
        }

        var all: [String] {
            switch self {
            case .one(let audience): [audience]
            case .several(let audiences): audiences
            }
        }
    }

    let issuer: Claim<String>
    /// Whether ``issuer`` is Apple's usual one, byte by byte.
    let isIssuerUsual: Bool
    /// `aud`
    let audience: Claim<Audience>
    let expiresAt: Claim<Int64>
    let issuedAt: Claim<Int64>
    /// `nbf`
    let notBefore: Claim<Int64>
    let subject: Claim<String>
    let nonce: Claim<String>
    let nonceSupported: Bool?
    let codeHash: Claim<String>
    let accessTokenHash: Claim<String>
    /// `jti`
    let identifier: Claim<String>
    /// `events`, which only notifications have.
    let events: JSONValue?
    private let email: String?
    private let emailVerified: Bool?
    private let isPrivateEmail: Bool?
    private let authenticatedAt: Int64?
    private let realUserStatus: RealUserStatus?
    private let transferSubject: String?
    private let organizationID: String?
    private let rosterScopes: [Scope]?

    /// The claims' names, prepared once.
    private enum Name {
        static let iss = JSONName("iss")
        static let aud = JSONName("aud")
        static let exp = JSONName("exp")
        static let iat = JSONName("iat")
        static let sub = JSONName("sub")
        static let nonce = JSONName("nonce")
        static let cHash = JSONName("c_hash")
        static let atHash = JSONName("at_hash")
        static let email = JSONName("email")
        static let emailVerified = JSONName("email_verified")
        static let isPrivateEmail = JSONName("is_private_email")
        static let authTime = JSONName("auth_time")
        static let nonceSupported = JSONName("nonce_supported")
        static let realUserStatus = JSONName("real_user_status")
        static let transferSub = JSONName("transfer_sub")
        static let orgId = JSONName("org_id")
        static let scopes = JSONName("scopes")
        static let jti = JSONName("jti")
        static let events = JSONName("events")
        static let nbf = JSONName("nbf")
    }

    /// Kept, so that the text is not made anew for every token.
    private static let usualIssuer = AppleServer.apple.issuer

    /// Nil when the payload is no object.
    init?(_ payload: JSONValue) {
        // In the order in which Apple writes them, which makes the reader fast.
        guard var members = JSONMemberReader(payload) else { return nil }
        let issuer = members.value(Name.iss)
        isIssuerUsual = issuer?.isString(Self.usualIssuer) == true
        self.issuer = isIssuerUsual ? .value(Self.usualIssuer) : Claim(issuer) { $0.string }
        audience = Claim(members.value(Name.aud), Self.audience)
        expiresAt = Claim(members.value(Name.exp), Self.numericDate)
        issuedAt = Claim(members.value(Name.iat), Self.numericDate)
        subject = Claim(members.value(Name.sub)) { $0.string }
        nonce = Claim(members.value(Name.nonce)) { $0.string }
        codeHash = Claim(members.value(Name.cHash)) { $0.string }
        accessTokenHash = Claim(members.value(Name.atHash)) { $0.string }
        email = Self.text(members.value(Name.email))
        emailVerified = members.value(Name.emailVerified).flatMap(Self.bool)
        isPrivateEmail = members.value(Name.isPrivateEmail).flatMap(Self.bool)
        authenticatedAt = members.value(Name.authTime).flatMap(Self.numericDate)
        nonceSupported = members.value(Name.nonceSupported).flatMap(Self.bool)
        realUserStatus = members.value(Name.realUserStatus)?.int64.flatMap { Int(exactly: $0) }
            .map(RealUserStatus.init(rawValue:))
        transferSubject = Self.text(members.value(Name.transferSub))
        organizationID = Self.text(members.value(Name.orgId))
        rosterScopes = members.value(Name.scopes).flatMap(Self.scopes)
        identifier = Claim(members.value(Name.jti)) { $0.string }
        events = members.value(Name.events)
        notBefore = Claim(members.value(Name.nbf), Self.numericDate)
    }

    /// The claims in Apple's words, with one audience of possibly several; nil while a claim that every identity token
    /// has is missing. Optional claims of a type nobody expects count as absent.
    func identityClaims(audience matched: String?) -> IdentityTokenClaims? {
        guard let issuer = issuer.lenient, let subject = subject.lenient, let issuedAt = issuedAt.lenient,
            let expiresAt = expiresAt.lenient, let audience = matched ?? self.audience.lenient?.all.first
        else { return nil }
        var claims = IdentityTokenClaims(
            issuer: issuer, subject: Subject(subject), audience: ClientID(audience), issuedAt: issuedAt,
            expiresAt: expiresAt)
        claims.nonce = nonce.lenient
        claims.nonceSupported = nonceSupported
        claims.email = email
        claims.emailVerified = emailVerified
        claims.isPrivateEmail = isPrivateEmail
        claims.realUserStatus = realUserStatus
        claims.authenticatedAt = authenticatedAt
        claims.codeHash = codeHash.lenient
        claims.accessTokenHash = accessTokenHash.lenient
        claims.transferSubject = transferSubject.map { Subject($0) }
        claims.organizationID = organizationID
        claims.rosterScopes = rosterScopes
        return claims
    }

    /// Managed accounts may have an empty address: no address.
    private static func text(_ value: JSONValue?) -> String? {
        value?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Seconds since 1970 (RFC 7519 §2, NumericDate). A fraction is cut off; what no clock will ever show is refused,
    /// so that later sums cannot overflow.
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

    /// Apple names the claim and not its type: a list, or one text as in a request.
    private static func scopes(_ value: JSONValue) -> [Scope]? {
        if let text = value.string { return text.split(separator: " ").map { Scope(String($0)) } }
        guard value.kind == .array else { return nil }
        return value.elements.compactMap(\.string).map { Scope($0) }
    }

    private static func audience(_ value: JSONValue) -> Audience? {
        if let audience = value.string { return .one(audience) }
        guard value.kind == .array else { return nil }
        var audiences: [String] = []
        for element in value.elements {
            guard let audience = element.string else { return nil }
            audiences.append(audience)
        }
        return .several(audiences)
    }
}
