/// The body of `POST /v1/sign-in/apple`: what an app got from Apple.
public struct NativeSignInRequest: Hashable, Sendable {
    /// The compact token.
    public var identityToken: String
    /// Redeemable once, within five minutes; null when the app got none.
    public var authorizationCode: String?
    /// The raw nonce, not its hash: a challenge of this server, or 20 to 128 printable ASCII characters of the app's.
    public var nonce: String
    /// Comes from Apple once, at the first sign-in; null at all others.
    public var fullName: FullName?

    public init(identityToken: String, authorizationCode: String?, nonce: String, fullName: FullName? = nil) {
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.fullName = fullName
    }
}

extension NativeSignInRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case identityToken, authorizationCode, nonce, fullName
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(identityToken, forKey: .identityToken)
        try container.encode(authorizationCode, forKey: .authorizationCode)
        try container.encode(nonce, forKey: .nonce)
        try container.encode(fullName, forKey: .fullName)
    }
}
