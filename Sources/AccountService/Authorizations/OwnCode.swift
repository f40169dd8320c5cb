import AppleID
import AppleIDTypes

/// A code of ours in the place of Apple's: `siwa_c1.` and 32 random bytes in base64url. Only its hash is kept.
struct OwnCode: Hashable, Sendable, Redacted {
    static let prefix = "siwa_c1."
    static let lifetime: Duration = .minutes(5)

    let text: String

    /// - Parameter randomness: 32 bytes.
    init(randomness: [UInt8]) {
        precondition(randomness.count == 32)
        text = Self.prefix + Base64URL.text(randomness)
    }

    /// Whether a code claims to be one of ours: such a one never goes to Apple.
    static func isOurs(_ code: AuthorizationCode) -> Bool {
        code.rawValue.hasPrefix(prefix)
    }

    var hash: TokenHash { Self.hash(of: AuthorizationCode(text)) }

    static func hash(of code: AuthorizationCode) -> TokenHash { TokenHash(of: code.rawValue) }
}
