import Crypto
import Foundation

import enum OpenAuthenticationServices.RandomText

/// What makes an identity token good for one sign-in only.
struct Nonce: Sendable {
    let text: String

    init(_ text: String = RandomText.make(byteCount: 32)) {
        self.text = text
    }

    /// Lowercase hexadecimal: what Apple is given as `nonce`, so that the value itself is shown to nobody before it is
    /// presented with the token.
    var hash: String {
        SHA256.hash(data: Data(text.utf8)).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}
