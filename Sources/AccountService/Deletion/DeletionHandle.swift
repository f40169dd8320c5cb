import AppleID
public import AppleIDTypes

/// By which whoever deleted an account can see what became of it, without a session: `del_` and 32 random bytes in
/// base64url. Only its hash is kept.
public struct DeletionHandle: RawRepresentable, Hashable, Sendable, Redacted {
    static let prefix = "del_"

    public let rawValue: String

    /// Nil unless the value has the form of one that we made.
    public init?(rawValue: String) {
        guard rawValue.utf8.count == Self.prefix.utf8.count + 43, rawValue.hasPrefix(Self.prefix),
            Base64URL.decode(rawValue.dropFirst(Self.prefix.count)) != nil
        else { return nil }
        self.rawValue = rawValue
    }

    /// - Parameter randomness: 32 bytes.
    init(randomness: [UInt8]) {
        precondition(randomness.count == 32)
        rawValue = Self.prefix + Base64URL.text(randomness)
    }

    var hash: TokenHash { TokenHash(of: rawValue) }
}
