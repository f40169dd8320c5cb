/// The body of `POST /v1/apple/revoke`. All members are null to revoke by the tokens that the service holds.
public struct AppleRevocationRequest: Hashable, Sendable {
    /// A fresh code of the same person's: Apple's, or one that this server gave with a credential.
    public var authorizationCode: String?
    /// The raw nonce that Apple was given for the code; null when it was given none.
    public var nonce: String?
    /// The bundle id that obtained a code of Apple's; null for the client of the session.
    public var clientID: String?

    public init(authorizationCode: String? = nil, nonce: String? = nil, clientID: String? = nil) {
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.clientID = clientID
    }
}

extension AppleRevocationRequest: Codable {
    private enum CodingKeys: String, CodingKey { case authorizationCode, nonce, clientID }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(authorizationCode, forKey: .authorizationCode)
        try container.encode(nonce, forKey: .nonce)
        try container.encode(clientID, forKey: .clientID)
    }
}
