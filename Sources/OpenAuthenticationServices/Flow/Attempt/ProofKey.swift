import Crypto

/// Ties what an app redeems to what it began, so that a stolen handle is worth nothing (RFC 7636, with S256).
struct ProofKey: Sendable {
    /// 32 random bytes as 43 base64url characters. It never leaves this process before the redemption.
    let verifier: String

    init() {
        self.init(verifier: RandomText.make(byteCount: 32))
    }

    init(verifier: String) {
        self.verifier = verifier
    }

    var challenge: String {
        Base64URL.encode(SHA256.hash(data: Array(verifier.utf8)))
    }
}
