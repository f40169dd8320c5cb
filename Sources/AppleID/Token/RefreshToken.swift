public import AppleIDTypes

/// Apple's refresh token: valid until the person withdraws consent, and only with the client that obtained it.
///
/// Printing or mirroring it does not show it.
public struct RefreshToken: Hashable, Sendable, Redacted {
    public let rawValue: String

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
