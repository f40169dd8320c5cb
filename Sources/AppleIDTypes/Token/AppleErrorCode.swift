/// The `error` member by which Apple says what is wrong.
public struct AppleErrorCode: AppleWord {
    /// As Apple spells it.
    public let rawValue: String

    /// Not checked: any text is one.
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
    /// Another ``GrantType`` than Apple has, or none.
    public static let unsupportedGrantType: Self = "unsupported_grant_type"
    /// A scope that Apple does not have, or not for this grant.
    public static let invalidScope: Self = "invalid_scope"
    /// The person pressed Cancel. The only error that reaches a redirect URI.
    public static let userCancelledAuthorize: Self = "user_cancelled_authorize"
}
