import AppleID
import AppleIDTypes

extension SignIn {
    /// What a credential is presented for.
    enum Use: Sendable {
        case signIn
        /// A proof that the person at a session is still the one who opened it.
        case proof(Challenge.Purpose, of: SessionID, Identity)

        var challengePurpose: Challenge.Purpose {
            switch self {
            case .signIn: .signIn
            case .proof(let purpose, _, _): purpose
            }
        }

        /// To which a challenge is bound.
        var session: SessionID? {
            switch self {
            case .signIn: nil
            case .proof(_, let session, _): session
            }
        }
    }

    /// Before anything is spent or redeemed: the same person, and proven by a nonce, where a fresh proof is asked for.
    func require(_ identity: VerifiedIdentity, fits use: Use) throws {
        guard case .proof(_, _, let expected) = use else { return }
        guard try client(of: identity).team == expected.team, identity.subject == expected.subject else {
            throw AccountError(.credentialMismatch, "the credential is another person's")
        }
        guard identity.nonce == .matched else {
            throw AppleIDError(.nonceMissing, "the identity token carries no nonce, and so proves nothing fresh")
        }
    }
}
