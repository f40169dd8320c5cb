public import AppleIDTypes

/// How Apple's authorization of an account's person is to be ended.
public struct RevocationRequest: Sendable, Redacted {
    /// A fresh code of the person's, Apple's or ours; nil to revoke by the tokens that are held.
    public var authorizationCode: AuthorizationCode?
    /// The raw nonce that Apple was given for the code, if any.
    public var nonce: String?
    /// The bundle id that obtained a code of Apple's; nil for that of the session.
    public var clientID: ClientID?

    public init(authorizationCode: AuthorizationCode? = nil, nonce: String? = nil, clientID: ClientID? = nil) {
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.clientID = clientID
    }
}
