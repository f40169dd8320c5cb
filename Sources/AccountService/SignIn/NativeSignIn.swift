public import AppleIDTypes

/// What an app hands over after its person signed in with Apple on the device, or by an authorization of ours.
public struct NativeSignIn: Sendable, Redacted {
    /// Nil when the app has the code alone.
    public var identityToken: String?
    /// When there, it is exchanged, so that Apple's token can be revoked when the account is deleted. A code of ours is
    /// taken in its place.
    public var authorizationCode: AuthorizationCode?
    /// The raw nonce: a challenge of ours, or one that the app made and gave Apple as its lowercase hexadecimal
    /// SHA-256. Nil only when Apple was given none.
    public var nonce: String?
    /// Whose code it is, where no identity token says so: a bundle id, or any client of its app for a code of ours.
    public var clientID: ClientID?
    /// Apple gives it to the app once; the app may send it again until a sign-in has succeeded.
    public var name: PersonName?

    public init(
        identityToken: String?, authorizationCode: AuthorizationCode? = nil, nonce: String?, clientID: ClientID? = nil,
        name: PersonName? = nil
    ) {
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.clientID = clientID
        self.name = name
    }
}
