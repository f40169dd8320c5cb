import AppleID
import AppleIDTypes
import Crypto

/// What a client presents for a session: its id and 32 secret bytes, as `ses_….` and base64url.
///
/// A browser's cookie keeps its secret, which is random. A refresh token is exchanged for its successor, and its 32
/// bytes have a form of their own (``init(refreshTokenOf:generation:randomness:keys:)``).
struct SessionSecret: Sendable, Redacted {
    static let length = 32

    let session: SessionID
    /// ``length`` bytes.
    let bytes: [UInt8]

    init(session: SessionID, secret: [UInt8]) {
        precondition(secret.count == Self.length)
        self.session = session
        self.bytes = secret
    }

    /// Nil unless the text has exactly this form.
    init?(received text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 43, let session = SessionID(received: parts[0]) else {
            return nil
        }
        guard let secret = Base64URL.decode(parts[1]), secret.count == Self.length else { return nil }
        self.init(session: session, secret: secret)
    }

    var text: String { session.rawValue + "." + Base64URL.text(bytes) }

    var hash: TokenHash { TokenHash(of: bytes) }
}
