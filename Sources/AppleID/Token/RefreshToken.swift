public import AppleIDTypes

/// Apple's refresh token: valid until the person withdraws consent, and only with the client that obtained it.
///
/// Printing or mirroring it does not show it.
public struct RefreshToken: Hashable, Sendable, Redacted {
    /// As Apple sent it; a secret, to be kept sealed and beside its client.
    public let rawValue: String

    /// For one that was kept.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
