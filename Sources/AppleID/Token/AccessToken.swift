public import AppleIDTypes

/// Apple's access token. Opaque and of little use: Apple offers no endpoint that takes one, but for revocation.
///
/// Printing or mirroring it does not show it.
public struct AccessToken: Hashable, Sendable, Redacted {
    /// As Apple sent it; a secret.
    public let rawValue: String

    /// For one that was kept.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
