public import AppleIDTypes

/// An app's word that it has given up.
public struct AuthorizationCancellation: Sendable, Redacted {
    public enum Key: Hashable, Sendable, Redacted {
        /// As the app sent it: what cannot be an id is an unknown one.
        case id(String)
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
