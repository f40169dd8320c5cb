public import AppleIDTypes

/// The secret in a link of a mail: 32 random bytes in base64url. The database keeps its hash.
///
/// If a browser without a session opens a link that needs one, the sign-in attempt also keeps the link's path, with the
/// secret, until the attempt is over: for ten minutes at most.
public struct LinkSecret: RawRepresentable, Hashable, Sendable, Redacted, RandomSecret {
    /// The secret text that stands in the link.
    public let rawValue: String

    /// Takes a value from a link; nil unless it has the form of one that we made.
    public init?(rawValue: String) {
        guard Self.hasForm(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}
