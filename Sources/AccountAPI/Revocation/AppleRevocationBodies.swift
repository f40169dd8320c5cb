/// The body of `POST /v1/apple/revoke`. If all members are null, the service revokes by the tokens that it holds.
public struct AppleRevocationRequest: Hashable, Sendable {
    /// A fresh code of the same person, from Apple or from this server.
    public var authorizationCode: String?
    /// The raw nonce that Apple was given for the code. Null if it was given none.
    public var nonce: String?
    /// The bundle id that obtained Apple's code. Null for the client of the session.
    public var clientID: String?

    /// Creates the body of a call.
    public init(authorizationCode: String? = nil, nonce: String? = nil, clientID: String? = nil) {
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.clientID = clientID
    }
}

extension AppleRevocationRequest: Codable {
    private enum CodingKeys: String, CodingKey { case authorizationCode, nonce, clientID }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(authorizationCode, forKey: .authorizationCode)
        try container.encode(nonce, forKey: .nonce)
        try container.encode(clientID, forKey: .clientID)
    }
}

/// The response to `POST /v1/apple/revoke`. Its status is 202, because the service doesn't make its client wait for
/// Apple.
public struct AppleRevocationAnswer: Hashable, Sendable {
    /// The steps for the person if the service can't ask Apple. Null if it asks, or if the authorization has ended
    /// before.
    public var manualRemoval: ManualRemoval?

    /// Creates a value for the service to send. Clients decode it.
    public init(manualRemoval: ManualRemoval?) { self.manualRemoval = manualRemoval }
}

extension AppleRevocationAnswer: Codable {
    private enum CodingKeys: String, CodingKey { case manualRemoval }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(manualRemoval, forKey: .manualRemoval)
    }
}

/// The steps by which a person removes the app at Apple, if the service holds no token to do it.
public struct ManualRemoval: Hashable, Sendable, Codable {
    /// The steps in English, for the person.
    public var message: String
    /// Apple's page with the person's list of apps.
    public var url: String

    /// Creates a value for the service to send. Clients decode it.
    public init(message: String, url: String) {
        self.message = message
        self.url = url
    }

    /// The steps to remove an app.
    /// - Parameter app: what people know the app by.
    public static func ofApp(_ app: String) -> Self {
        Self(
            message:
                "Apple still lists \(app) among the apps that use your Apple Account. To remove it, open Settings, "
                + "your name, Sign in with Apple on an iPhone or iPad, or Sign-In and Security on account.apple.com.",
            url: "https://account.apple.com/account/manage")
    }
}
