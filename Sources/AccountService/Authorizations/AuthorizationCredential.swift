public import AppleIDTypes

/// What Apple's framework would have given the app.
public struct AuthorizationCredential: Hashable, Sendable, Redacted {
    public var user: Subject
    /// Apple's, in compact form.
    public var identityToken: String
    /// Ours, which ``SignIn/native(_:from:)`` takes in place of Apple's; Apple's own with ``App/handThrough``.
    public var authorizationCode: AuthorizationCode?
    /// Only when the person consented for the first time.
    public var email: String?
    /// Only when the person consented for the first time.
    public var name: PersonName?
    /// In the order of the request.
    public var scopes: [Scope]
    public var state: String?

    /// The scopes as the wire has them.
    public var scope: String { scopes.map(\.rawValue).joined(separator: " ") }
}
