/// The `grant_type` of a token request.
public struct GrantType: AppleWord {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let authorizationCode: Self = "authorization_code"
    public static let refreshToken: Self = "refresh_token"
    public static let clientCredentials: Self = "client_credentials"
}
