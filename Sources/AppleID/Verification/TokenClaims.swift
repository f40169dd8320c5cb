import AppleIDTypes
import StrictJSON

/// The claims of a payload, read but not checked. It is a class, because every rule reads them and none should copy
/// them.
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

    let expiresAt: Claim<Int64>
    let issuedAt: Claim<Int64>
    let subject: Claim<String>
    /// All other claims are read only when they are needed, because most servers need few of them.
    private let members: JSONMemberReader

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

    /// - Parameter members: of the payload.
    init(_ members: JSONMemberReader) {
        self.members = members
        expiresAt = Claim(members.scalar(Name.exp), Self.numericDate)
        issuedAt = Claim(members.scalar(Name.iat), Self.numericDate)
        subject = Claim(members.scalar(Name.sub), \.text)
    }

    /// Apple's issuer. It is kept, so that the text isn't made for every token.
    private static let usualIssuer = AppleServer.apple.issuer

    /// Whether the issuer is Apple's usual one, byte by byte.
    var isIssuerUsual: Bool { members.isString(Name.iss, Self.usualIssuer) }

    var issuer: Claim<String> {
        isIssuerUsual ? .value(Self.usualIssuer) : Claim(members.scalar(Name.iss), \.text)
    }

    /// Whether `aud` is one audience and spelt like this, byte by byte. If not, the token may still be for the client:
    /// see ``audience``.
    func isAudience(_ client: ClientID) -> Bool { members.isString(Name.aud, client.rawValue) }

    /// `aud`
    var audience: Claim<Audience> {
        Claim(members.scalar(Name.aud)) { scalar in
            if case .string(let audience) = scalar {
                .one(audience)
            } else {
                members.value(Name.aud).flatMap(Self.audiences)
            }
        }
    }

    /// The nonce as UTF-8, for comparing.
    var nonce: Claim<ArraySlice<UInt8>> {
        if let nonce = members.utf8(Name.nonce) { return .value(nonce) }
        return members.scalar(Name.nonce) == nil ? .absent : .malformed
    }

    var nonceSupported: Bool? { members.scalar(Name.nonceSupported).flatMap(Self.bool) }
    var codeHash: Claim<String> { Claim(members.scalar(Name.cHash), \.text) }
    var accessTokenHash: Claim<String> { Claim(members.scalar(Name.atHash), \.text) }
    /// `nbf`
    var notBefore: Claim<Int64> { Claim(members.scalar(Name.nbf), Self.numericDate) }
    /// `jti`
    var identifier: Claim<String> { Claim(members.scalar(Name.jti), \.text) }
    /// `events`, which only notifications have.
    var events: JSONValue? { members.value(Name.events) }
    var email: String? { Self.text(members.scalar(Name.email)) }
    var emailVerified: Bool? { members.scalar(Name.emailVerified).flatMap(Self.bool) }
    var isPrivateEmail: Bool? { members.scalar(Name.isPrivateEmail).flatMap(Self.bool) }

    /// The claims that every identity token has, besides its audience.
    struct Required: Sendable {
        let issuer: String
        let subject: Subject
        let issuedAt: Int64
        let expiresAt: Int64
    }

    /// Nil while one of them is missing.
    var required: Required? {
        guard let issuer = issuer.lenient, let subject = subject.lenient, let issuedAt = issuedAt.lenient,
            let expiresAt = expiresAt.lenient
        else { return nil }
        return Required(issuer: issuer, subject: Subject(subject), issuedAt: issuedAt, expiresAt: expiresAt)
    }

    /// The claims in Apple's words, of a token that is perhaps not good; nil while a required one is missing.
    /// - Parameter audience: the one that was expected, where one was found.
    func identityClaims(audience: ClientID?) -> IdentityTokenClaims? {
        guard let required, let audience = audience ?? self.audience.lenient?.all.first.map({ ClientID($0) }) else {
            return nil
        }
        return identityClaims(required, audience: audience)
    }

    /// The claims in Apple's words, with one audience of possibly several. Optional claims of a type nobody expects
    /// count as absent.
    func identityClaims(_ required: Required, audience: ClientID) -> IdentityTokenClaims {
        var claims = IdentityTokenClaims(
            issuer: required.issuer, subject: required.subject, audience: audience, issuedAt: required.issuedAt,
            expiresAt: required.expiresAt)
        claims.nonce = nonce.lenient.map { String(decoding: $0, as: UTF8.self) }
        claims.nonceSupported = nonceSupported
        claims.email = email
        claims.emailVerified = emailVerified
        claims.isPrivateEmail = isPrivateEmail
        claims.realUserStatus = members.scalar(Name.realUserStatus).flatMap(Self.realUserStatus)
        claims.authenticatedAt = members.scalar(Name.authTime).flatMap(Self.numericDate)
        claims.codeHash = codeHash.lenient
        claims.accessTokenHash = accessTokenHash.lenient
        claims.transferSubject = Self.text(members.scalar(Name.transferSub)).map { Subject($0) }
        claims.organizationID = Self.text(members.scalar(Name.orgId))
        claims.rosterScopes = members.value(Name.scopes).flatMap(Self.scopes)
        return claims
    }

    /// Managed accounts may have an empty address: no address.
    private static func text(_ value: JSONScalar?) -> String? {
        value?.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Seconds since 1970 (RFC 7519 §2, NumericDate). A fraction is cut off. A time after the year 9999 is refused, so
    /// that later sums cannot overflow.
    static func numericDate(_ value: JSONScalar) -> Int64? {
        let seconds: Int64? =
            switch value {
            case .integer(let seconds): seconds
            case .number(let seconds): Int64(exactly: seconds.rounded(.down))
            case .bool, .string, .other: nil
            }
        guard let seconds, (-Self.latest...Self.latest).contains(seconds) else { return nil }
        return seconds
    }

    /// The end of the year 9999.
    private static let latest: Int64 = 253_402_300_799

    /// Apple has sent these claims as text and, since 2024, as booleans. Anything else is unknown, never an error.
    static func bool(_ value: JSONScalar) -> Bool? {
        switch value {
        case .bool(let value): value
        case .string(let text): text == "true" ? true : text == "false" ? false : nil
        case .integer, .number, .other: nil
        }
    }

    private static func realUserStatus(_ value: JSONScalar) -> RealUserStatus? {
        guard case .integer(let number) = value else { return nil }
        return Int(exactly: number).map(RealUserStatus.init(rawValue:))
    }

    /// Apple names the claim and not its type: a list, or one text as in a request.
    private static func scopes(_ value: JSONValue) -> [Scope]? {
        if let text = value.string { return text.split(separator: " ").map { Scope(String($0)) } }
        guard value.kind == .array else { return nil }
        return value.elements.compactMap(\.string).map { Scope($0) }
    }

    private static func audiences(_ value: JSONValue) -> Audience? {
        guard value.kind == .array else { return nil }
        var audiences: [String] = []
        for element in value.elements {
            guard let audience = element.string else { return nil }
            audiences.append(audience)
        }
        return .several(audiences)
    }
}

/// A claim of a token's payload, as its rule finds it.
enum Claim<Value: Sendable>: Sendable {
    case absent
    /// The claim is there, and has a wrong JSON type.
    case malformed
    case value(Value)

    /// The value, for claims whose absence or malformation means the same.
    var lenient: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    var isAbsent: Bool {
        if case .absent = self { true } else { false }
    }

    /// The value of a claim that has to be there.
    func required(_ name: String) throws(AppleIDError) -> Value {
        switch self {
        case .absent: throw AppleIDError(.malformedClaim, "there is no claim \(name)")
        case .malformed: throw Self.malformation(name)
        case .value(let value): value
        }
    }

    /// The value of a claim that may be absent.
    func optional(_ name: String) throws(AppleIDError) -> Value? {
        switch self {
        case .absent: nil
        case .malformed: throw Self.malformation(name)
        case .value(let value): value
        }
    }

    private static func malformation(_ name: String) -> AppleIDError {
        AppleIDError(.malformedClaim, "the claim \(name) is not of the type it should be")
    }
}

extension Claim {
    init(_ member: JSONScalar?, _ read: (JSONScalar) -> Value?) {
        guard let member else {
            self = .absent
            return
        }
        self = read(member).map { .value($0) } ?? .malformed
    }
}
