public import AppleIDTypes

/// Answers what became of a person's credential, to the sessions of their own account alone.
public struct CredentialStates: Sendable {
    let store: any AccountStore

    /// Everybody else's ids are ``CredentialState/notFound``, whether or not anybody has them.
    /// - Parameters:
    ///   - session: Live, or ended by Apple's word (``Sessions/authenticateEvenEnded(_:)``): such a one learns of the
    ///     identity that had opened it, and of no other.
    ///   - subject: Apple's user id; nil for that of the session's own identity.
    public func state(of subject: Subject?, for session: StoredSession) async throws -> CredentialState {
        let standing =
            if let subject {
                try await store.appleStanding(of: session.session.accountID, subject: subject)
            } else {
                try await store.appleStanding(of: session.session.accountID, identity: session.session.identityID)
            }
        guard let standing, !standing.isRemoved else { return .notFound }
        guard session.ended == nil || standing.identity == session.session.identityID else { return .notFound }
        return standing.accessEnded ? .revoked : .authorized
    }
}
