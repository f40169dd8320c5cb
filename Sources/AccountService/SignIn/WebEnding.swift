public import AppleIDTypes

/// What Apple's answer to a browser has ended.
public enum WebEnding: Sendable, Redacted {
    /// The browser's own sign-in or reauthentication, which succeeded.
    case signIn(WebSignIn)
    /// The account of whoever was signed in there.
    case deleted(DeletionReceipt)
    /// Nothing: the person, who is signed in, pressed Cancel at Apple, and goes back to where they were.
    case cancelled(ReturnPath)
    /// An app's authorization, whether it came to a credential or not: its last page knows.
    case authorization(AuthorizationID)
}
