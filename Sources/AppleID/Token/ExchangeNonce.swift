public import AppleIDTypes

/// What the identity token in the answer to a code has to say about the nonce of the authorization request. Printing or
/// mirroring it shows no value.
///
/// A token without nonce is taken where it says that its platform supports none, because Apple has just redeemed the
/// code.
public enum ExchangeNonce: Sendable, Redacted {
    /// A value that this server made and consumes once: verbatim, or its lowercase hexadecimal SHA-256.
    case issued(String)
    /// The lowercase hexadecimal SHA-256 of a value whose owner hashed it before giving it to Apple.
    case hashed(ofRaw: String)
    /// None was sent with the request, so a token that carries one answers another request. A code whose request
    /// carried no nonce proves less: nothing but its single use keeps it from being somebody else's.
    case absent
    /// An identity token came beside the code and was verified with its nonce: the token in the answer has to be of the
    /// same issuer, for the same client and about the same person, and carry the same nonce, or none as the other
    /// (OpenID Connect Core 1.0 §3.3.3.6). Verify the one beside the code with
    /// ``IdentityExpectation/authorizationCode``, so that code and token belong together.
    case proven(by: VerifiedIdentity)

    /// What the verifier is to hold the answer's token against; nil where another verified token stands in for it.
    var expectation: NonceExpectation? {
        switch self {
        case .issued(let value): .issued(value)
        case .hashed(let raw): .hashed(ofRaw: raw)
        case .absent: .absent
        case .proven: nil
        }
    }

    /// - Throws: ``AppleIDError/Code/invalidAuthorizationRequest``, before the code is spent on it.
    func requireUsable(for client: AppleClient) throws(AppleIDError) {
        switch self {
        case .issued(let text), .hashed(let text):
            guard !text.isEmpty else {
                throw AppleIDError(.invalidAuthorizationRequest, "an empty nonce is none, and no token can match it")
            }
        case .proven(let identity):
            guard identity.audience == client.id else {
                throw AppleIDError(
                    .invalidAuthorizationRequest, "the identity token beside the code is for another client")
            }
        case .absent:
            return
        }
    }

    /// Holds the verified token of the answer against the one that came beside the code, if there was one.
    func require(_ answer: VerifiedIdentity) throws(AppleIDError) {
        guard case .proven(let beside) = self else { return }
        guard answer.subject.rawValue.utf8.elementsEqual(beside.subject.rawValue.utf8) else {
            throw AppleIDError(.subjectMismatch, "Apple's answer to the code is about somebody else")
        }
        guard answer.claims.issuer.utf8.elementsEqual(beside.claims.issuer.utf8) else {
            throw AppleIDError(.issuerMismatch, "the token in the answer is of another issuer than the one before")
        }
        // One with a nonce and one without do not belong to one request either.
        guard answer.claims.nonce.map({ Array($0.utf8) }) == beside.claims.nonce.map({ Array($0.utf8) }) else {
            throw AppleIDError(
                .nonceMismatch, "the tokens beside the code and in the answer do not carry the same nonce")
        }
    }
}
