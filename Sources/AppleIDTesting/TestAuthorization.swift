public import AppleIDTypes

/// What an authorization handed back, field by field, as a callback or a device would get it.
public struct TestAuthorization: Sendable {
    /// In no particular order; those that Apple would leave out are not there.
    public let fields: [(name: String, value: String)]

    init(_ fields: [String: String]) {
        self.fields = fields.map { (name: $0.key, value: $0.value) }
    }

    /// Good for five minutes of the emulator's clock, and once.
    public var code: AuthorizationCode? { self["code"].map { AuthorizationCode($0) } }
    /// Absent where the request asked for a code alone.
    public var identityToken: String? { self["id_token"] }
    /// As the request had it.
    public var state: String? { self["state"] }
    /// A JSON text, the first time only.
    public var user: String? { self["user"] }
    /// `user_cancelled_authorize` after a Cancel.
    public var error: AppleErrorCode? { self["error"].map { AppleErrorCode($0) } }

    private subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}
