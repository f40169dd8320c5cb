import AppleID
import AppleIDTypes
import Crypto

/// What a client presents for a session: its id and 32 secret bytes, as `ses_….` and base64url.
///
/// A browser's cookie keeps its secret; a refresh token is exchanged for its successor. The successor is derived from
/// the token presented, so that a client whose answer was lost gets the very same again although the server keeps
/// nothing but hashes.
struct SessionSecret: Sendable, Redacted {
    let session: SessionID
    /// 32 bytes.
    private let secret: [UInt8]

    init(session: SessionID, secret: [UInt8]) {
        precondition(secret.count == 32)
        self.session = session
        self.secret = secret
    }

    /// Nil unless the text has exactly this form.
    init?(received text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 43, let session = SessionID(received: parts[0]) else {
            return nil
        }
        guard let secret = Base64URL.decode(parts[1]), secret.count == 32 else { return nil }
        self.init(session: session, secret: secret)
    }

    var text: String { session.rawValue + "." + Base64URL.text(secret) }

    var hash: TokenHash { TokenHash(of: secret) }

    func successor(derivedWith key: SymmetricKey) -> SessionSecret {
        var code = HMAC<SHA256>(key: key)
        code.update(data: Array(session.rawValue.utf8))
        code.update(data: secret)
        return SessionSecret(session: session, secret: Array(code.finalize()))
    }

    /// Whether the secret with this hash descends from this one within so many exchanges.
    ///
    /// A token of the family that comes again is told apart from an invented one by following its descendants: nothing
    /// needs to be kept for it, and a stranger who knows a session's id cannot end the session.
    ///
    /// - Parameter generations: at most ``SessionLimits/longestLine``, which bounds the work that one wrong token
    ///   causes.
    func isAncestor(of hash: TokenHash, within generations: Int64, derivedWith key: SymmetricKey) async -> Bool {
        var descendant = self
        for generation in 0..<generations {
            descendant = descendant.successor(derivedWith: key)
            if descendant.hash == hash { return true }
            // Others get a turn: this is work without any waiting.
            if generation % 500 == 499 { await Task.yield() }
        }
        return false
    }
}
