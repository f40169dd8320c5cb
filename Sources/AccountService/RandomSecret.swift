import AppleID
import AppleIDTypes

/// A secret of 32 random bytes that a browser, an app or a mail gets. The database keeps its hash.
///
/// Its text is a prefix and the bytes in base64url.
protocol RandomSecret: RawRepresentable<String>, Redacted {
    /// The beginning of the text, which tells the secret from those of other kinds. By default there is none.
    static var prefix: String { get }
}

extension RandomSecret {
    static var prefix: String { "" }

    /// - Parameter randomness: 32 bytes from a cryptographic source.
    init(randomness: [UInt8]) {
        precondition(randomness.count == 32)
        guard let secret = Self(rawValue: Self.prefix + Base64URL.text(randomness)) else {
            preconditionFailure("a new secret has the form of one")
        }
        self = secret
    }

    /// Whether a text has the form of a secret of this kind.
    static func hasForm(_ text: String) -> Bool {
        text.hasPrefix(prefix) && text.dropFirst(prefix.count).is32BytesInBase64URL
    }

    var hash: TokenHash { TokenHash(of: rawValue) }
}

extension StringProtocol {
    /// Whether the text is base64url of 32 bytes, without padding.
    var is32BytesInBase64URL: Bool { utf8.count == 43 && Base64URL.decode(self) != nil }
}
