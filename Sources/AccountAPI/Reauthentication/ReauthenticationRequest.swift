/// The body of `POST /v1/reauthenticate/apple` and `POST /v1/account/delete`: a fresh credential of the session's own
/// person.
public struct ReauthenticationRequest: Hashable, Sendable {
    /// The compact token. Null when the app has the code alone; then ``clientID`` says whose code it is.
    public var identityToken: String?
    /// A code of Apple's, or one that this server gave with a credential; null when there is none.
    public var authorizationCode: String?
    /// A challenge of this server for the purpose `reauthenticate` or `delete`, made in this session.
    public var nonce: String
    /// Needed without ``identityToken``, and ignored with it.
    public var clientID: String?

    public init(identityToken: String?, authorizationCode: String?, nonce: String, clientID: String? = nil) {
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.clientID = clientID
    }
}

extension ReauthenticationRequest: Codable {
    private enum CodingKeys: String, CodingKey { case identityToken, authorizationCode, nonce, clientID }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(identityToken, forKey: .identityToken)
        try container.encode(authorizationCode, forKey: .authorizationCode)
        try container.encode(nonce, forKey: .nonce)
        try container.encode(clientID, forKey: .clientID)
    }
}
