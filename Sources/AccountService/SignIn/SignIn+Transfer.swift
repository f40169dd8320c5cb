import AppleID
import AppleIDTypes
import Logging

extension SignIn {
    /// Refuses a person of a transferred app who would get a new account, where the store holds people of another team.
    ///
    /// A subject means something within one team. After the app has moved, the person's account is still there under
    /// the former team's subject, and a new, empty account in its place would be a silent loss. The service keeps
    /// nobody's `transfer_sub` yet, so it can't find the account. Only a token with that claim costs a look.
    func requireAccountAfterTransfer(of identity: VerifiedIdentity) async throws {
        let person = try person(of: identity)
        guard person.transferSubject != nil else { return }
        try await tellingOfTransfer(for: identity) {
            guard try await store.admits(person) else { throw AccountError.transferNotCompleted }
        }
    }

    /// Does what may find out that a transfer is not completed, and tells the operator if it does.
    func tellingOfTransfer<Result>(
        for identity: VerifiedIdentity, _ work: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await work()
        } catch let error as AccountError where error.code == .transferNotCompleted {
            let team = apple.clients[identity.audience]?.team.rawValue
            logger.error(
                """
                A person was refused because the app has moved to another team at Apple and the database holds people \
                of the former team. Their accounts are not moved yet; --admit-transferred gives them new ones.
                """,
                metadata: [
                    "client": "\(identity.audience)", "team": "\(team ?? "none")", "error": "\(error.code)",
                ])
            throw error
        }
    }
}

extension AccountError {
    /// A person's account is under another team.
    package static var transferNotCompleted: AccountError {
        AccountError(
            .transferNotCompleted,
            "the app has moved to another team, and this person's account has not been moved yet")
    }
}
