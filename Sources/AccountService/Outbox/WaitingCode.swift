import AppleID
import AppleIDTypes
import Foundation

/// A code that could not be redeemed when its person signed in, with what its redemption must fit.
struct WaitingCode: Hashable, Sendable, Codable, Redacted {
    var code: String
    var identityToken: String
    /// As it is expected in the token: raw as issued by us, or hashed by its app.
    var nonce: String
    var isHashed: Bool
    var redirectURI: String?

    var expectation: NonceExpectation { isHashed ? .hashed(ofRaw: nonce) : .issued(nonce) }
}
