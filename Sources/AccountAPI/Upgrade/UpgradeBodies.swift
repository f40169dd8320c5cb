/// The body of `POST /v1/account/upgrade`: a fresh credential of Apple's for an account that a person signs in to by
/// email address. From then on they sign in with Apple, and the password is gone.
public struct AccountUpgradeRequest: Hashable, Sendable {
    /// Apple's identity token in compact form. Null if the app has the code alone; then ``clientID`` says whose code it
    /// is.
    public var identityToken: String?
    /// A code from Apple, or one that this server gave with a credential. Null if there is none.
    public var authorizationCode: String?
    /// A challenge of this server for the purpose ``ChallengePurpose/upgrade``, made in this session.
    public var nonce: String
    /// The name that Apple gave the app with the credential. Null if Apple gave none. An account without a name takes it.
    public var fullName: FullName?
    /// The client that obtained the code. Required without ``identityToken``, and ignored with it.
    public var clientID: String?
    /// The person's consent to the text that the error `consent_required` named. Null if there is none.
    public var consent: ConsentGivenBody?
    /// Whether the person's other sessions end.
    public var endOtherSessions: Bool

    /// Creates the body of a call.
    public init(
        identityToken: String?, authorizationCode: String?, nonce: String, fullName: FullName? = nil,
        clientID: String? = nil, consent: ConsentGivenBody? = nil, endOtherSessions: Bool
    ) {
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.fullName = fullName
        self.clientID = clientID
        self.consent = consent
        self.endOtherSessions = endOtherSessions
    }
}

extension AccountUpgradeRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case identityToken, authorizationCode, nonce, fullName, clientID, consent, endOtherSessions
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(identityToken, forKey: .identityToken)
        try container.encode(authorizationCode, forKey: .authorizationCode)
        try container.encode(nonce, forKey: .nonce)
        try container.encode(fullName, forKey: .fullName)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(consent, forKey: .consent)
        try container.encode(endOtherSessions, forKey: .endOtherSessions)
    }
}

/// The response to `POST /v1/account/upgrade`. The session and its refresh token stay as they are.
public struct AccountUpgradeAnswer: Hashable, Sendable, Codable {
    /// The account as it is after the upgrade. Its id is the one that it had.
    public var account: AccountBody
    /// An access token that tells other services the new time of the proof. The former one stays good for its ten
    /// minutes.
    public var accessToken: String
    /// The scheme of the access token: always `Bearer`.
    public var tokenType: String
    /// The seconds until the access token is refused.
    public var expiresIn: Int

    /// Creates a value for the service to send. Clients decode it.
    public init(account: AccountBody, accessToken: String, tokenType: String = "Bearer", expiresIn: Int) {
        self.account = account
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresIn = expiresIn
    }
}
