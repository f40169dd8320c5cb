import AccountAPI
import AccountConnection

extension AccountClient {
    /// Deletes the account at the account service, at once and for good. The service then tells Apple to end the
    /// authorization. The person is signed out on every device.
    ///
    /// It needs a sign-in of the last five minutes. Without one, the client asks the person to sign in with Apple once more,
    /// if Apple opened this session. If the person cancels, the account stays. If an email address or another provider opened
    /// the session, the client doesn't ask: the error is `refused` with `requires_recent_login`. Then call
    /// ``reauthenticate(password:)`` or `reauthenticate(with:)`, or sign them in by a new link.
    ///
    /// Throws as ``reauthenticate(presentationAnchor:)`` does. If the response is lost and the session has ended meanwhile,
    /// this throws `sessionEnded` with a hint.
    /// - Parameters:
    ///   - promptingIfNeeded: whether the person may be asked. Otherwise, without a recent sign-in, it is `refused` with
    ///     `requires_recent_login`.
    ///   - presentationAnchor: the window over which Apple's sheet comes, as for ``signIn(scopes:presentationAnchor:)``.
    /// - Returns: the state of the deletion. The account is gone, but the service may still have to tell Apple, see
    ///   ``progress(of:)``.
    @discardableResult
    public func deleteAccount(
        promptingIfNeeded: Bool = true, presentationAnchor: PresentationAnchor? = nil
    ) async throws(AccountClientError) -> AccountDeletion {
        try await calls.deleteAccount(promptingIfNeeded ? ask(for: [], over: presentationAnchor) : nil)
    }

    /// Asks how far a deletion is. It needs no session, so an app that has kept the handle can ask at a later start.
    ///
    /// Throws `refused` with `deletion_unknown` when there was none, or it ended more than 30 days ago.
    /// - Parameter handle: ``AccountDeletion/handle``.
    public func deletion(_ handle: String) async throws(AccountClientError) -> AccountDeletion {
        try await calls.deletion(handle)
    }

    /// Follows a deletion: gives its state now and whenever that changes, until it is over.
    ///
    /// It asks after one second at first and every five minutes in the end, and goes on when the account service does
    /// not answer.
    public func progress(of deletion: AccountDeletion) -> DeletionProgress {
        DeletionProgress(calls: calls, first: deletion)
    }
}

extension AccountCalls {
    /// - Parameter authorize: asks the person when a recent sign-in is needed; nil never asks.
    func deleteAccount(_ authorize: Authorize?) async throws(AccountClientError) -> AccountDeletion {
        do throws(AccountClientError) {
            return try await delete(with: nil)
        } catch let error where error.code == .refused(.requiresRecentLogin) {
            // A person who signs in without Apple can't prove anything at Apple.
            guard let authorize, try await isOpenedByApple() else { throw error }
            return try await session.withAuthorization { _ throws(AccountClientError) in
                try await delete(with: try await proof(for: .delete, by: authorize))
            }
        }
    }

    func deletion(_ handle: String) async throws(AccountClientError) -> AccountDeletion {
        do throws(ServiceError) {
            let answer = try await connection.send("GET", "/v1/deletions/\(handle.inQuery)", as: DeletionAnswer.self)
            return AccountDeletion(handle: handle, answer.deletion)
        } catch {
            throw AccountClientError(error, doing: "asking for a deletion")
        }
    }

    /// - Parameter proof: nil when the person has signed in lately.
    private func delete(with proof: ReauthenticationRequest?) async throws(AccountClientError) -> AccountDeletion {
        let stored = try await session.ask(.read)
        guard let account = stored.session?.account.id else { throw stored.notSignedInError }
        // Whether the service may have carried out a call whose answer was lost.
        var isUncertain = false
        do throws(AccountClientError) {
            let answered = try await answer(doing: "deleting the account", as: account) { token throws(ServiceError) in
                try await environment.retries(3, noting: &isUncertain) { () async throws(ServiceError) in
                    try await delete(with: proof, token)
                }
            }
            do {
                _ = try await session.ask(.accountDeleted(user: stored.session?.user, stored.epoch))
            } catch {
                // The account is gone, and the caller needs its handle. The next call tries to clear storage again. Until
                // then storage has a session that has ended, and the next start of the app finds that out.
            }
            if let email = stored.session?.account.waysIn?.email { await removeSavedPassword(of: email) }
            return AccountDeletion(handle: answered.value.handle, answered.value.deletion)
        } catch let error where error.code == .sessionEnded && isUncertain {
            throw AccountClientError(
                .sessionEnded, "the answer to the deletion was lost, and the session has ended",
                hint: "Most likely the account is deleted: a new sign-in would make an empty one.", cause: error.cause)
        }
    }

    private func delete(
        with proof: ReauthenticationRequest?, _ token: String
    ) async throws(ServiceError) -> AccountDeletionAnswer {
        let languages = environment.languages()
        guard let proof else {
            return try await connection.send("DELETE", "/v1/account", accessToken: token, languages: languages)
        }
        return try await connection.send(
            "POST", "/v1/account/delete", body: proof, accessToken: token, languages: languages,
            silenceLimit: .whileAppleIsAsked)
    }
}
