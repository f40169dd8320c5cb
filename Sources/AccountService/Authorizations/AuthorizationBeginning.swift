public import AppleIDTypes

/// How an authorization goes on.
public enum AuthorizationBeginning: Hashable, Sendable, Redacted {
    /// A browser is to open the URL, a page of ours.
    case redirect(id: AuthorizationID, url: String, expiresAt: Timestamp)
    /// A person is to type the user code on our page, while the app asks again and again with the device code.
    /// `userCode` has its hyphen.
    case device(
        deviceCode: String, userCode: String, verificationURL: String, interval: Duration, expiresAt: Timestamp)
}
