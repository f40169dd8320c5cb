/// The tokens of a session, in the responses to a sign-in and to a refresh.
public struct SessionBody: Hashable, Sendable, Codable {
    /// The access token, for `Authorization: Bearer`.
    public var accessToken: String
    /// The scheme of the access token: always `Bearer`.
    public var tokenType: String
    /// The seconds until the access token is refused.
    public var expiresIn: Int
    /// The refresh token. It is good for one refresh, whose response brings the next one.
    public var refreshToken: String

    /// Creates a value for the service to send. Clients decode it.
    public init(accessToken: String, tokenType: String = "Bearer", expiresIn: Int, refreshToken: String) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
    }
}

/// The body of `POST /v1/session/refresh`.
public struct RefreshRequest: Hashable, Sendable, Codable {
    /// The refresh token from the latest response. A repeat gets the same response for 30 seconds, unless the new token
    /// has been used. With the same ``attempt`` it does at any time, until anything from the lost response has been
    /// used.
    public var refreshToken: String
    /// The name by which the person knows the device now. If it is absent, the list of sessions keeps the former name.
    public var deviceName: String?
    /// 16 random bytes in base64url without padding. The client stores them beside the refresh token before it sends
    /// them. They are new for each refresh token, and the same in each repeat.
    public var attempt: String?

    /// Creates the body of a call.
    public init(refreshToken: String, deviceName: String? = nil, attempt: String? = nil) {
        self.refreshToken = refreshToken
        self.deviceName = deviceName
        self.attempt = attempt
    }
}

/// The response to `POST /v1/session/refresh`.
public struct RefreshAnswer: Hashable, Sendable, Codable {
    /// The new tokens of the session.
    public var session: SessionBody

    /// Creates a value for the service to send. Clients decode it.
    public init(session: SessionBody) {
        self.session = session
    }
}
