public import AppleIDTypes

/// A session whose person has proven again who they are.
public struct Reauthenticated: Sendable, Redacted {
    public var authenticatedAt: Timestamp
    /// Says so to other services too (`auth_time`).
    public var accessToken: String
    public var expiresIn: Duration
}
