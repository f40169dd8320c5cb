import AppleID
import AppleIDTypes

/// A nonce as a client sent it, and what follows from its form.
struct ClientNonce: Sendable {
    /// In bytes of printable ASCII.
    static let allowedLength = 20...128

    let expectation: NonceExpectation
    private let raw: String
    private let challenge: Spent?

    /// - Throws: ``AccountError/Code/nonceInvalid`` or ``AccountError/Code/challengeInvalid``.
    init(
        _ raw: String, for purpose: Challenge.Purpose, session: SessionID?, challenges: Challenges
    ) throws(AccountError) {
        guard Self.allowedLength.contains(raw.utf8.count), raw.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw AccountError(.nonceInvalid, "a nonce has 20 to 128 printable ASCII characters")
        }
        self.raw = raw
        if Challenges.isChallenge(raw) {
            challenge = try challenges.redeem(raw, for: purpose, session: session)
            expectation = .issued(raw)
        } else {
            guard purpose == .signIn else {
                throw AccountError(.challengeInvalid, "this needs a challenge of the server as its nonce")
            }
            challenge = nil
            expectation = .hashed(ofRaw: raw)
        }
    }

    /// The same for the token that Apple gives for a code.
    var exchangeNonce: ExchangeNonce {
        challenge == nil ? .hashed(ofRaw: raw) : .issued(raw)
    }

    /// The note that it is used. A nonce that a client made counts for its audience only.
    func spent(audience: ClientID, until expiry: Timestamp) -> Spent {
        challenge
            ?? Spent(
                kind: .nonce, hash: TokenHash(of: audience.rawValue + "\n" + raw), expiresAt: expiry)
    }
}
