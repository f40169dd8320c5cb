import AppleID
import AppleIDTypes
import Foundation

/// A code that could not be redeemed when its person signed in, or what Apple has given for one, with what that must
/// fit.
struct WaitingCode: Hashable, Sendable, Codable, Redacted {
    /// What Apple has given, where its identity token could not be verified yet: the code is spent.
    struct Answer: Hashable, Sendable, Codable, Redacted {
        var identityToken: String
        /// Nil where none could be read.
        var accessToken: String?
        var refreshToken: String
    }

    var code: String
    /// Nil where the code came alone.
    var identityToken: String?
    /// As it is expected in the token: raw as issued by us, or hashed by its app. Nil where there was none.
    var nonce: String?
    var isHashed: Bool
    var redirectURI: String?
    var answer: Answer?

    /// For the identity token that came beside the code.
    var expectation: NonceExpectation {
        guard let nonce else { return .absent }
        return isHashed ? .hashed(ofRaw: nonce) : .issued(nonce)
    }

    /// For the identity token in Apple's answer to a code that came alone. Where none was presented, the answer proves
    /// what it would have proven at once: it is taken if it has none either.
    var exchangeNonce: ExchangeNonce {
        guard let nonce else { return .absent }
        return isHashed ? .hashed(ofRaw: nonce) : .issued(nonce)
    }
}
