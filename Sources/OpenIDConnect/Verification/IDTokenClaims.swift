import StrictJSON
import StrictJWS

/// The claims of an identity token (OpenID Connect Core 1.0 §2), read from a payload whose signature is good, but not
/// checked.
///
/// A claim of the standards that has the wrong type is refused, never taken for one that is absent.
struct IDTokenClaims: Sendable {
    let issuer: String
    let subject: String
    let audiences: [String]
    let authorizedParty: String?
    /// Seconds since 1970, as all times here.
    let expiresAt: Int64
    let issuedAt: Int64
    let notBefore: Int64?
    let authenticatedAt: Int64?
    let nonce: String?
    let codeHash: String?
    let accessTokenHash: String?
    let authenticationContext: String?
    let authenticationMethods: [String]
    let email: String?
    let emailVerified: Bool?
    let name: String?
    let givenName: String?
    let familyName: String?
    /// The organization at Microsoft. Nil also for a claim that is no text.
    let tenant: String?
    /// Whether Microsoft has verified that the address belongs to the owner of its domain.
    let domainOwnerVerified: Bool?
    /// The Google Workspace domain. Nil also for a claim that is no text.
    let hostedDomain: String?
    /// Whether this is a logout token or another security event (RFC 8417 §2.2, OpenID Connect Back-Channel Logout).
    let hasEvents: Bool

    init(_ payload: ArraySlice<UInt8>) throws(OpenIDConnectError) {
        let root = try strictObject(payload, named: "payload", maximumDepth: 16)
        let reader = ClaimReader(root: root)
        issuer = try reader.required("iss", reader.text("iss", upTo: 2_048))
        subject = try reader.required("sub", reader.text("sub", upTo: 255))
        audiences = try reader.texts("aud")
        authorizedParty = try reader.text("azp", upTo: 255)
        expiresAt = try reader.required("exp", reader.time("exp"))
        issuedAt = try reader.required("iat", reader.time("iat"))
        notBefore = try reader.time("nbf")
        authenticatedAt = try reader.time("auth_time")
        nonce = try reader.text("nonce", upTo: 1_024)
        codeHash = try reader.text("c_hash", upTo: 128)
        accessTokenHash = try reader.text("at_hash", upTo: 128)
        authenticationContext = try reader.text("acr", upTo: 1_024)
        authenticationMethods = try reader.optionalTexts("amr")
        hasEvents = root["events"] != nil
        // Only the rules for Microsoft and Google read these two, and they refuse a token without them. No standard defines
        // them, so other providers use the names for claims of their own, of any type.
        tenant = reader.words("tid", upTo: 255)
        hostedDomain = reader.words("hd", upTo: 255)
        // Names and addresses decide nothing, so an unusable one is left out.
        email = reader.words("email", upTo: 320)
        emailVerified = reader.flag("email_verified")
        domainOwnerVerified = reader.flag("xms_edov")
        name = reader.words("name", upTo: 512)
        givenName = reader.words("given_name", upTo: 512)
        familyName = reader.words("family_name", upTo: 512)
    }
}

/// RFC 8259 and RFC 7519 §4: one object, in which no member comes twice.
func strictObject(
    _ bytes: ArraySlice<UInt8>, named name: String, maximumDepth: Int
) throws(OpenIDConnectError) -> JSONValue {
    let root: JSONValue
    do {
        root = try JSONDocument(bytes, limits: JSONLimits(maximumDepth: maximumDepth)).root
    } catch {
        throw OpenIDConnectError(.malformedToken, "the \(name) is not strict JSON: \(error)", cause: error)
    }
    guard root.kind == .object else {
        throw OpenIDConnectError(.malformedToken, "the \(name) is not a JSON object")
    }
    return root
}

private struct ClaimReader {
    /// The maximum number of audiences of a token.
    private static let maximumTexts = 32

    let root: JSONValue

    func required<Value>(_ name: String, _ value: Value?) throws(OpenIDConnectError) -> Value {
        guard let value else { throw OpenIDConnectError(.malformedClaim, "the claim \(name) is missing") }
        return value
    }

    /// Not empty, and nil if the claim is absent.
    func text(_ name: String, upTo limit: Int) throws(OpenIDConnectError) -> String? {
        guard let member = root[name] else { return nil }
        guard let text = member.string, (1...limit).contains(text.utf8.count) else {
            throw OpenIDConnectError(.malformedClaim, "the claim \(name) is not a text of 1 to \(limit) bytes")
        }
        return text
    }

    /// A text, or a list of texts (RFC 7519 §4.1.3).
    func texts(_ name: String) throws(OpenIDConnectError) -> [String] {
        if let text = root[name]?.string, !text.isEmpty { return [text] }
        let members = root[name].map { $0.elements.prefix(Self.maximumTexts + 1).map(\.string) } ?? []
        let texts = members.compactMap { $0.flatMap { $0.isEmpty ? nil : $0 } }
        guard root[name]?.kind == .array, !texts.isEmpty, texts.count == members.count,
            members.count <= Self.maximumTexts
        else {
            throw OpenIDConnectError(.malformedClaim, "the claim \(name) is missing, or no list of texts")
        }
        return texts
    }

    /// The texts of an optional claim. There are none if the claim is absent or an empty list (OpenID Connect Core 1.0 §2
    /// sets no minimum for `amr`).
    func optionalTexts(_ name: String) throws(OpenIDConnectError) -> [String] {
        guard let member = root[name] else { return [] }
        var elements = member.elements
        if member.kind == .array, elements.next() == nil { return [] }
        return try texts(name)
    }

    /// Seconds since 1970 (RFC 7519 §2, NumericDate). A fraction is cut off. A time after the year 9999 is refused, so that
    /// sums cannot overflow.
    func time(_ name: String) throws(OpenIDConnectError) -> Int64? {
        guard let member = root[name] else { return nil }
        let whole = member.int64 ?? member.double.flatMap { Int64(exactly: $0.rounded(.down)) }
        guard let seconds = whole, (0...253_402_300_799).contains(seconds) else {
            throw OpenIDConnectError(.malformedClaim, "the claim \(name) is not a number of seconds since 1970")
        }
        return seconds
    }

    /// Text for people; nil where it is absent, too long, or holds what could disturb a page or a log.
    func words(_ name: String, upTo limit: Int) -> String? {
        guard let text = root[name]?.string, (1...limit).contains(text.utf8.count),
            !text.unicodeScalars.contains(where: Self.isDisturbing)
        else { return nil }
        return text
    }

    /// True or false; some providers write them as text, and Microsoft as a number.
    func flag(_ name: String) -> Bool? {
        guard let member = root[name] else { return nil }
        if let bool = member.bool { return bool }
        if let number = member.int64 { return number == 1 }
        return member.string.map { $0 == "true" || $0 == "1" }
    }

    /// Control characters, line separators, and the marks that turn the direction of the text around a name.
    private static func isDisturbing(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }
}
