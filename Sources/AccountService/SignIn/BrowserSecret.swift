import AppleID
public import AppleIDTypes

/// What names a browser while it signs in: the value of a short-lived cookie. Only its hash is kept, with the attempt.
public struct BrowserSecret: RawRepresentable, Hashable, Sendable, Redacted {
    /// 32 bytes in base64url.
    public let rawValue: String

    /// Nil unless the value has the form of one that we made.
    public init?(rawValue: String) {
        guard rawValue.utf8.count == 43, Base64URL.decode(rawValue[...]) != nil else { return nil }
        self.rawValue = rawValue
    }

    init(randomness: [UInt8]) {
        precondition(randomness.count == 32)
        rawValue = Base64URL.text(randomness)
    }

    var hash: TokenHash { TokenHash(of: rawValue) }
}
