import Crypto
import StrictJWS

/// OpenID Connect Core 1.0 §3.1.3.7 (11) and Apple's "Verifying a user": the token answers our request. Apple copies
/// the request's value verbatim, so a client that hashed it brings the hash. Where its platform carries none
/// (`nonce_supported` is false), the token doesn't prove when and for whom it was made: a caller that accepts it says
/// so, and has other proof.
struct NonceRule: VerificationRule {
    var name: String { "nonce" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        guard let expectation = evidence.expectation.nonce else {
            evidence.nonce = .notExpected
            return
        }
        let claims = try evidence.readClaims()
        let raw: [UInt8]
        let isIssued: Bool
        switch expectation {
        case .hashed(let text): (raw, isIssued) = (Array(text.utf8), false)
        case .issued(let text): (raw, isIssued) = (Array(text.utf8), true)
        case .noneSent:
            guard try claims.nonce.optional("nonce") == nil else {
                throw AppleIDError(.nonceMismatch, "the token carries a nonce, and none was sent")
            }
            evidence.nonce = .notExpected
            return
        }
        guard !raw.isEmpty else {
            throw AppleIDError(.nonceMismatch, "an empty nonce was expected, which no token can match")
        }
        guard let nonce = try claims.nonce.optional("nonce") else {
            // A platform that could have carried the nonce, or does not say, lost it on purpose.
            guard claims.nonceSupported == false else {
                throw AppleIDError(.nonceMissing, "the token has no nonce")
            }
            guard evidence.expectation.acceptsUnsupportedNonce else {
                throw AppleIDError(
                    .nonceMissing,
                    "the token has no nonce, since its platform supports none, and nothing else proves it fresh")
            }
            evidence.nonce = .unsupported
            return
        }
        var matches = ConstantTime.areEqual(nonce.span, hexadecimal: SHA256.hash(data: raw))
        if isIssued { matches = ConstantTime.areEqual(nonce.span, raw) || matches }
        guard matches else { throw AppleIDError(.nonceMismatch, "the nonce is not the expected one") }
        evidence.nonce = .matched
    }

    func obstacle(in evidence: borrowing Evidence) -> String? {
        if evidence.claims == nil { return "the payload could not be read" }
        return evidence.expectation.nonce == nil ? "no nonce was given to compare with" : nil
    }

    func finding(in evidence: borrowing Evidence) -> String {
        switch evidence.nonce {
        case .unsupported: "the token has none, and says that its platform does not support it"
        case .notExpected: "none was sent, and the token has none"
        case .matched, nil: "the expected one"
        }
    }
}
