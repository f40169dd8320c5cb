public import AppleIDTypes

/// What a browser brings back from Apple. Parsed only: nothing in it is to be believed yet.
public struct AuthorizationResponse: Redacted, Sendable {
    /// For ``AppleIDClient/exchange(code:client:nonce:redirectURI:codeVerifier:)``, within five minutes. Absent with an
    /// ``error``.
    public let code: AuthorizationCode?
    /// Unverified.
    public let identityToken: String?
    /// To be compared by ``hasState(_:)`` before anything else here is looked at.
    public let state: String?
    /// Only with the first authorization, and only what was asked for. Nil also when the field does not parse: then the
    /// name is lost either way, since Apple sends it once, and there is no reason to lose the sign-in with it.
    public let user: AuthorizedUser?
    /// ``/AppleIDTypes/AppleErrorCode/userCancelledAuthorize`` when the person pressed Cancel.
    public let error: AppleErrorCode?

    /// Apple sends at most five fields; some room is left for fields that are not known yet, which are ignored.
    private static let maximumFields = 32
    private static let maximumBytes = 65_536
    /// Generous bounds, in bytes, for what Apple really sends.
    private static let limits = ["code": 1_024, "id_token": 16_384, "state": 1_024, "user": 8_192, "error": 255]

    /// Whether the state is the one that this browser's request was sent with. Takes the same time wherever they
    /// differ; an empty or absent one never matches.
    public func hasState(_ expected: String) -> Bool {
        ConstantTime.areEqual(state ?? "", Array(expected.utf8))
    }

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
