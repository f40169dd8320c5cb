/// The `grant_type` of a token request.
public struct GrantType: AppleWord {
    /// The text as Apple spells it.
    public let rawValue: String

    /// Creates a grant type from any text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Exchanges an authorization code for tokens, once.
    public static let authorizationCode: Self = "authorization_code"
    /// Asks whether a refresh token still lives; at most once a day.
    public static let refreshToken: Self = "refresh_token"
    /// Gets a migration token for the client secret alone.
    public static let clientCredentials: Self = "client_credentials"
}

/// The OAuth error code in Apple's response (RFC 6749 §5.2).
public struct AppleErrorCode: AppleWord {
    /// The text as Apple spells it.
    public let rawValue: String

    /// Creates an error code from any text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A parameter is missing, repeated or malformed; on a refresh also: the person has revoked the authorization.
    public static let invalidRequest: Self = "invalid_request"
    /// The client, or its secret, is not accepted.
    public static let invalidClient: Self = "invalid_client"
    /// The code or refresh token is expired, used, revoked, or was issued to another client.
    public static let invalidGrant: Self = "invalid_grant"
    /// The client is known and may not do this.
    public static let unauthorizedClient: Self = "unauthorized_client"
    /// The request's ``GrantType`` is missing, or none of Apple's.
    public static let unsupportedGrantType: Self = "unsupported_grant_type"
    /// Apple does not have the scope, or not for this grant.
    public static let invalidScope: Self = "invalid_scope"
    /// The person pressed Cancel. The only error that reaches a redirect URI.
    public static let userCancelledAuthorize: Self = "user_cancelled_authorize"
}

/// The body of a response that refuses a request: a JSON object, with HTTP status 400.
public struct ErrorResponse: Hashable, Sendable, Codable {
    /// The error code, by which programs decide.
    public var error: AppleErrorCode
    /// A description for people. Apple doesn't document it, but sends it. Don't decide by it.
    public var errorDescription: String?

    /// Creates the body of a refusal.
    public init(_ error: AppleErrorCode, description: String? = nil) {
        self.error = error
        self.errorDescription = description
    }

    private enum CodingKeys: String, CodingKey {
        case error
        case errorDescription = "error_description"
    }
}
