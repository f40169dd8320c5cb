/// The answer to `POST /v1/authorizations/redeem`: what Apple's framework would have given the app.
public struct AuthorizationCredentialBody: Hashable, Sendable {
    /// Apple's identifier of the person, as the app's team knows them.
    public var user: String
    /// Apple's, in compact form.
    public var identityToken: String
    /// A code of this server's, for `POST /v1/sign-in/apple` once within five minutes; Apple's own where the app is set
    /// up so.
    public var authorizationCode: String?
    /// Only when the person consented for the first time.
    public var email: String?
    /// Only when the person consented for the first time.
    public var fullName: FullName?
    /// What was granted, in the manner of the request.
    public var scope: String
    /// What the app gave at the beginning.
    public var state: String?

    public init(
        user: String, identityToken: String, authorizationCode: String?, email: String?, fullName: FullName?,
        scope: String, state: String?
    ) {
        self.user = user
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.email = email
        self.fullName = fullName
        self.scope = scope
        self.state = state
    }
}

extension AuthorizationCredentialBody: Codable {
    private enum CodingKeys: String, CodingKey {
        case user, identityToken, authorizationCode, email, fullName, scope, state
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(user, forKey: .user)
        try container.encode(identityToken, forKey: .identityToken)
        try container.encode(authorizationCode, forKey: .authorizationCode)
        try container.encode(email, forKey: .email)
        try container.encode(fullName, forKey: .fullName)
        try container.encode(scope, forKey: .scope)
        try container.encode(state, forKey: .state)
    }
}
