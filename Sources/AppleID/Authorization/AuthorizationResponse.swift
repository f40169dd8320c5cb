public import AppleIDTypes
import StrictJSON
import StrictJWS

/// The response that a browser brings back from Apple. It is only parsed: believe nothing in it yet.
public struct AuthorizationResponse: Redacted, Sendable {
    /// The code to exchange within five minutes; absent with an ``error``.
    public let code: AuthorizationCode?
    /// The identity token, not verified.
    public let identityToken: String?
    /// The request's state. Compare it by ``hasState(_:)`` before you look at anything else here.
    public let state: String?
    /// The person's name and address; with the first authorization only, and only if the request asked for them.
    ///
    /// It is also nil when the field does not parse. The name is lost then, since Apple sends it once, and there is no
    /// reason to lose the sign-in with it.
    public let user: AuthorizedUser?
    /// The error; ``/AppleIDTypes/AppleErrorCode/userCancelledAuthorize`` when the person pressed Cancel.
    public let error: AppleErrorCode?

    /// Apple sends at most five fields; some room is left for fields that are not known yet, which are ignored.
    private static let maximumFields = 32
    private static let maximumBytes = 65_536
    /// The maximum size of a state, in bytes.
    static let maximumStateBytes = 1_024
    /// The maximum size of each field, in bytes. Apple's values are much smaller.
    private static let limits = [
        "code": 1_024, "id_token": 16_384, "state": maximumStateBytes, "user": 8_192, "error": 255,
    ]

    /// Returns whether the state is the one that this browser's request was sent with.
    ///
    /// The comparison takes the same time wherever the two differ. An empty or absent state never matches.
    public func hasState(_ expected: String) -> Bool {
        ConstantTime.areEqual(state ?? "", Array(expected.utf8))
    }

    /// Creates a response from a posted form.
    /// - Parameter form: the decoded fields of the posted form, in order. An empty field counts as absent.
    /// - Throws: ``AppleIDError/Code/malformedCallback`` when a field comes twice, is too long or holds U+0000, and
    ///   when there are too many.
    public init(form: [(name: String, value: String)]) throws(AppleIDError) {
        guard form.count <= Self.maximumFields,
            form.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= Self.maximumBytes
        else {
            throw AppleIDError(.malformedCallback, "the callback has too many fields, or too long ones")
        }
        var fields: [String: String] = [:]
        for (name, value) in form {
            guard fields.updateValue(value, forKey: name) == nil else {
                throw AppleIDError(.malformedCallback, "the callback names a field twice")
            }
            guard !name.utf8.contains(0), !value.utf8.contains(0) else {
                throw AppleIDError(.malformedCallback, "the callback holds a null character")
            }
            if let limit = Self.limits[name], value.utf8.count > limit {
                throw AppleIDError(.malformedCallback, "the field \(name) is longer than \(limit) bytes")
            }
        }
        let present = fields.filter { !$0.value.isEmpty }
        code = present["code"].map { AuthorizationCode($0) }
        identityToken = present["id_token"]
        state = present["state"]
        error = present["error"].map { AppleErrorCode($0) }
        user = present["user"].flatMap(AuthorizedUser.init(json:))
    }
}

/// The name and address in the `user` field of a first authorization.
///
/// They passed through the browser unsigned: good for a name to show, never for identity. Printing or mirroring the
/// value shows neither.
public struct AuthorizedUser: Hashable, Sendable, Redacted {
    /// The first name as the person wrote it, at most 512 bytes. They may have changed it on the way.
    public let firstName: String?
    /// The last name as the person wrote it, at most 512 bytes. They may have changed it on the way.
    public let lastName: String?
    /// The address as the browser says it. The address that counts is the identity token's.
    public let email: String?

    /// Creates a value in tests, and from the credential that an app sends. Nothing is cleaned here.
    public init(firstName: String?, lastName: String?, email: String?) {
        self.firstName = firstName
        self.lastName = lastName
        self.email = email
    }

    /// Apple's "Request an authorization to the Sign in with Apple server": a JSON object inside a form field.
    ///
    /// Control characters, and the white space around a name, are removed. A part of another type, or one that is too
    /// long for a name, is absent.
    init?(json: String) {
        let root: JSONValue
        do {
            root = try JSONDocument(json.utf8, limits: JSONLimits(maximumBytes: 8_192, maximumDepth: 8)).root
        } catch {
            // The error isn't reported, because the text comes from a browser.
            return nil
        }
        guard root.kind == .object else { return nil }
        firstName = root["name"]?["firstName"]?.string.flatMap(Self.cleaned)
        lastName = root["name"]?["lastName"]?.string.flatMap(Self.cleaned)
        email = root["email"]?.string.flatMap(Self.cleaned)
    }

    private static func cleaned(_ text: String) -> String? {
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: text.unicodeScalars.lazy.filter { !isDisturbing($0) })
        let trimmed = String(kept).drop(while: \.isWhitespace)
        guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        let result = String(trimmed[...last])
        return result.utf8.count <= 512 ? result : nil
    }

    /// Control characters, line separators, and the marks that turn the direction of the text around a name.
    private static func isDisturbing(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }
}
