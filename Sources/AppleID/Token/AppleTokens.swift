public import AppleIDTypes

/// Apple's refresh token: valid until the person withdraws consent, and only with the client that obtained it.
///
/// Printing or mirroring it does not show it.
public struct RefreshToken: Hashable, Sendable, Redacted {
    /// The token as Apple sent it: a secret. Keep it sealed, beside the client that obtained it.
    public let rawValue: String

    /// Creates a token from text that was kept.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// Apple's access token, which is opaque and of little use.
///
/// Apple takes one at the endpoints for revocations and for transfers between teams (Apple's "Transferring your apps and
/// users to another team"), and at no other.
///
/// Printing or mirroring it does not show it.
public struct AccessToken: Hashable, Sendable, Redacted {
    /// The token as Apple sent it: a secret.
    public let rawValue: String

    /// Creates a token from text that was kept.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
