import AppleID
import AppleIDTypes
import Logging

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

    /// Refuses a person of a transferred app who would get a new account although they most likely have one.
    ///
    /// A subject means something within one team. After the app has moved, the person's account is still there under
    /// the former team's subject, and a new, empty account in its place would be a silent loss. The service finds the
    /// account if it knows the `transfer_sub`. Only a token with that claim costs a look.
    func requireAccountAfterTransfer(of identity: VerifiedIdentity) async throws {
        let person = try person(of: identity)
        guard person.transferSubject != nil else { return }
        try await vault.loggingIncompleteTransfer(for: identity.audience) {
            if let refusal = try await store.transferRefusal(of: person) { throw refusal }
        }
    }
}

extension AppleTokenVault {
    /// Does work that may refuse a person whose transfer between teams is not complete. If it does, an error in the log tells
    /// the operator what to do.
    /// - Parameter client: the client of the person's credential, for the log.
    func loggingIncompleteTransfer<Result>(
        for client: ClientID, _ work: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await work()
        } catch let error as AccountError where error.code == .transferNotCompleted {
            let team = apple.clients[client]?.team.rawValue
            logger.error(
                """
                A person was refused because the app has moved to another team at Apple and their account has not been moved. \
                siwa transfer moves accounts; --admit-transferred gives new ones.
                """,
                metadata: [
                    "client": "\(client)", "team": "\(team ?? "none")", "error": "\(error.code)",
                    "reason": "\(error.reason)",
                ])
            throw error
        }
    }
}
