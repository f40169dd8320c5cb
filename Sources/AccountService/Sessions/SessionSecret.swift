import AppleID
import Crypto

/// What a client presents for a session: its id and 32 secret bytes, as `ses_….` and base64url.
///
/// A browser's cookie keeps its secret; a refresh token is exchanged for its successor. The successor is derived from
/// the token presented, so that a client whose answer was lost gets the very same again although the server keeps
/// nothing but hashes.
struct SessionSecret: Sendable {
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
    func isAncestor(of hash: TokenHash, within generations: Int64, derivedWith key: SymmetricKey) -> Bool {
        var descendant = self
        for _ in 0..<min(generations, Self.longestLine) {
            descendant = descendant.successor(derivedWith: key)
            if descendant.hash == hash { return true }
        }
        return false
    }

    /// A session that exchanges its token every five minutes until its absolute limit stays below this; so the work that
    /// one wrong token can cause is bounded.
    private static let longestLine: Int64 = 60_000
}
