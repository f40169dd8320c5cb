/// The body of `POST /v1/reauthenticate/apple` and `POST /v1/account/delete`: a fresh credential of the person who owns
/// the session.
public struct ReauthenticationRequest: Hashable, Sendable {
    /// Apple's identity token in compact form. Null if the app has the code alone; then ``clientID`` says whose code it
    /// is.
    public var identityToken: String?
    /// A code from Apple, or one that this server gave with a credential. Null if there is none.
    public var authorizationCode: String?
    /// A challenge of this server for the purpose `reauthenticate` or `delete`, made in this session.
    public var nonce: String
    /// The client that obtained the code. Required without ``identityToken``, and ignored with it.
    public var clientID: String?

    /// Creates the body of a call.
    public init(identityToken: String?, authorizationCode: String?, nonce: String, clientID: String? = nil) {
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.clientID = clientID
    }
}

extension ReauthenticationRequest: Codable {
    private enum CodingKeys: String, CodingKey { case identityToken, authorizationCode, nonce, clientID }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(identityToken, forKey: .identityToken)
        try container.encode(authorizationCode, forKey: .authorizationCode)
        try container.encode(nonce, forKey: .nonce)
        try container.encode(clientID, forKey: .clientID)
    }
}

/// The response to `POST /v1/reauthenticate/apple`. The session and its refresh token stay as they are.
public struct ReauthenticationAnswer: Hashable, Sendable, Codable {
    /// The time of the proof. For five minutes from then on, the service accepts calls that need a recent sign-in.
    public var authenticatedAt: APITime
    /// An access token that tells other services the new time. The former one stays good for its ten minutes.
    public var accessToken: String
    /// The scheme of the access token: always `Bearer`.
    public var tokenType: String
    /// The seconds until the access token is refused.
    public var expiresIn: Int

    /// Creates a value for the service to send. Clients decode it.
    public init(authenticatedAt: APITime, accessToken: String, tokenType: String = "Bearer", expiresIn: Int) {
        self.authenticatedAt = authenticatedAt
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresIn = expiresIn
    }
}
