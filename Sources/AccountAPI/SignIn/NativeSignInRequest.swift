/// The body of `POST /v1/sign-in/apple`: what an app got from Apple, or from this server in Apple's place.
public struct NativeSignInRequest: Hashable, Sendable {
    /// The compact token. Null when the app has the code alone; then ``clientID`` says whose code it is.
    public var identityToken: String?
    /// Redeemable once, within five minutes; null when the app got none. A code that this server gave with a credential
    /// is taken in place of Apple's.
    public var authorizationCode: String?
    /// The raw nonce, not its hash: a challenge of this server, or 20 to 128 printable ASCII characters of the app's.
    /// Null only when Apple was given none.
    public var nonce: String?
    /// Comes from Apple once, at the first sign-in; null at all others.
    public var fullName: FullName?
    /// Needed without ``identityToken``, and ignored with it. For a code of Apple's, the bundle id that obtained it;
    /// for a code of this server's, any client of the app that it was given to.
    public var clientID: String?
    /// What the person knows the device by, for the list of sessions. Cut to 64 characters; control characters are
    /// dropped.
    public var deviceName: String?

    public init(
        identityToken: String?, authorizationCode: String?, nonce: String?, fullName: FullName? = nil,
        clientID: String? = nil, deviceName: String? = nil
    ) {
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.fullName = fullName
        self.clientID = clientID
        self.deviceName = deviceName
    }
}

extension NativeSignInRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case identityToken, authorizationCode, nonce, fullName, clientID, deviceName
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(identityToken, forKey: .identityToken)
        try container.encode(authorizationCode, forKey: .authorizationCode)
        try container.encode(nonce, forKey: .nonce)
        try container.encode(fullName, forKey: .fullName)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(deviceName, forKey: .deviceName)
    }
}
