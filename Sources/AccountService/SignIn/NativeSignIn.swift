public import AppleIDTypes

/// What an app hands over after its person signed in with Apple on the device.
public struct NativeSignIn: Sendable, Redacted {
    public var identityToken: String
    /// When there, it is exchanged, so that Apple's token can be revoked when the account is deleted.
    public var authorizationCode: AuthorizationCode?
    /// The raw nonce: a challenge of ours, or one that the app made and gave Apple as its lowercase hexadecimal SHA-256.
    public var nonce: String
    /// Apple gives it to the app once; the app may send it again until a sign-in has succeeded.
    public var name: PersonName?

    public init(
        identityToken: String, authorizationCode: AuthorizationCode? = nil, nonce: String, name: PersonName? = nil
    ) {
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.name = name
    }
}
