import AppleID
import AppleIDTypes

extension CredentialVerifier {
    /// Moves the person of a session to the team that received the app, if a verified identity token shows who they are
    /// there and their transfer is not complete. Otherwise their own credential would be another person's.
    /// - Returns: the purpose, with the identity as it is then.
    func movingTransferredPerson(
        of identity: VerifiedIdentity, for purpose: CredentialPurpose, from caller: Caller
    ) async throws -> CredentialPurpose {
        guard case .freshProof(let reason, let session, let expected) = purpose, identity.claims.transferSubject != nil,
            try apple.client(of: identity).team != expected.team
        else { return purpose }
        let isMoved = try await store.moveProvenPerson(
            try person(of: identity), of: expected.id, at: now, by: .account(through: session, from: caller))
        guard isMoved else { return purpose }
        let identities = try await store.identities(of: expected.accountID)
        guard let moved = identities.first(where: { $0.id == expected.id }) else { return purpose }
        return .freshProof(reason, session: session, moved)
    }
}
