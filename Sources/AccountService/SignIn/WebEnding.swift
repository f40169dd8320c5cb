public import AppleIDTypes

/// What Apple's answer to a browser has ended.
public enum WebEnding: Sendable, Redacted {
    /// The browser's own sign-in, which succeeded.
    case signIn(WebSignIn)
    /// An app's authorization, whether it came to a credential or not: its last page knows.
    case authorization(AuthorizationID)
}
