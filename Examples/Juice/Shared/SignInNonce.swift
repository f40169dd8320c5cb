import CryptoKit
import Foundation

/// A nonce of one request to Apple: the request gets the hash, and the account service gets the text beside Apple's token.
struct SignInNonce {
    /// 64 hexadecimal digits that nobody can guess.
    let text = (0..<32).map { _ in String(format: "%02x", UInt8.random(in: .min ... .max)) }.joined()

    /// The lowercase hexadecimal SHA-256 of the text.
    var hash: String { Self.hash(of: text) }

    static func hash(of text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }
}
