public import AppleIDTypes

/// What an app presents for its credential.
public struct Redemption: Sendable, Redacted {
    public enum Key: Hashable, Sendable, Redacted {
        /// From the redirect.
        case handle(String)
        /// From the beginning of the device flow.
        case deviceCode(String)
    }

    public var key: Key
    /// What the challenge was made of (RFC 7636 §4.1).
    public var codeVerifier: String

    public init(_ key: Key, codeVerifier: String) {
        self.key = key
        self.codeVerifier = codeVerifier
    }
}
