/// The `grant_type` of a token request.
public struct GrantType: AppleWord {
    /// As Apple spells it.
    public let rawValue: String

    /// Not checked: any text is one.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An authorization code, once, for tokens.
    public static let authorizationCode: Self = "authorization_code"
    /// A refresh token, at most daily, for the news that it lives.
    public static let refreshToken: Self = "refresh_token"
    /// The client secret alone, for a migration token.
    public static let clientCredentials: Self = "client_credentials"
}
