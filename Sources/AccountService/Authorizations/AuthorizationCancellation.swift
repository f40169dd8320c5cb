public import AppleIDTypes

/// An app's word that it has given up.
public struct AuthorizationCancellation: Sendable, Redacted {
    public enum Key: Hashable, Sendable, Redacted {
        case id(AuthorizationID)
        case deviceCode(String)
    }

    public var key: Key
    /// Without the right one nothing happens: the browser knows the id too.
    public var codeVerifier: String

    public init(_ key: Key, codeVerifier: String) {
        self.key = key
        self.codeVerifier = codeVerifier
    }
}
