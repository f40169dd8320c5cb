public import AppleIDTypes

/// A sign-in that a browser has finished.
public struct WebSignIn: Sendable, Redacted {
    public var account: Account
    public var isNewAccount: Bool
    /// The value of the session cookie.
    public var sessionCookie: String
    /// How long the browser should keep the cookie; the server may end the session sooner.
    public var cookieLifetime: Duration
    /// Where the browser wanted to go.
    public var returnPath: ReturnPath
}
