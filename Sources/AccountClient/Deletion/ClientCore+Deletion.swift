import AccountAPI

import enum OpenAuthenticationServices.ServiceError

extension ClientCore {
    /// - Parameter authorize: asks the person when a recent sign-in is needed; nil never asks.
    func deleteAccount(_ authorize: Authorize?) async throws -> AccountDeletion {
        do {
            return try await delete(with: nil)
        } catch let error as AccountClientError where error.code == .refused(.requiresRecentLogin) {
            guard let authorize else { throw error }
            return try await runAuthorization { core, _ in
                try await core.delete(with: try await core.proof(for: .delete, by: authorize))
            }
        }
    }

    func deletion(_ handle: String) async throws -> AccountDeletion {
        do throws(ServiceError) {
            let answer = try await connection.send("GET", "/v1/deletions/\(handle.inQuery)", as: DeletionAnswer.self)
            return AccountDeletion(handle: handle, answer.deletion)
        } catch {
            throw AccountClientError(error, doing: "asking for a deletion")
        }
    }

    /// - Parameter proof: nil when the person has signed in lately.
    private func delete(with proof: ReauthenticationRequest?) async throws -> AccountDeletion {
        let user = try await loaded().session?.user
        let era = self.era
        // Whether a call may have been heard and its answer lost.
        var isUncertain = false
        do {
            let answer = try await call(doing: "deleting the account") { token throws(ServiceError) in
                try await self.repeating(attempts: 3) { () async throws(ServiceError) in
                    do throws(ServiceError) {
                        return try await self.delete(with: proof, token)
                    } catch {
                        if case .unreachable = error, !error.neverArrived { isUncertain = true }
                        throw error
                    }
                }
            }
            if era == self.era { await forgetAccount(of: user) }
            return AccountDeletion(handle: answer.handle, answer.deletion)
        } catch let error as AccountClientError where error.code == .sessionEnded && isUncertain {
            throw AccountClientError(
                .sessionEnded, "the answer to the deletion was lost, and the session has ended",
                hint: "Most likely the account is deleted: a new sign-in would make an empty one.", cause: error.cause)
        }
    }

    private func delete(
        with proof: ReauthenticationRequest?, _ token: String
    ) async throws(ServiceError) -> AccountDeletionAnswer {
        guard let proof else { return try await connection.send("DELETE", "/v1/account", accessToken: token) }
        return try await connection.send("POST", "/v1/account/delete", body: proof, accessToken: token)
    }

    private func forgetAccount(of user: String?) async {
        if let user { record?.forgetPendingName(of: user) }
        forgetSession(.accountDeleted)
        endRefresh(.failure(nobody))
        do {
            try await save(replacing: true)
        } catch {
            // The account is gone all the same, and its handle matters more. What storage still has is tried again
            // with the next call, and is worth nothing: the next start hears that the session has ended.
        }
    }
}
