import AccountAPI
import AccountConnection

#if canImport(Darwin)
    import AuthenticationServices
#else
    import OpenAuthenticationServices
#endif

extension AccountClient {
    /// Makes one account of two: moves what the plan lists to the account that is signed in to. The other account is the
    /// one of an Apple Account, or of a person at another provider, that could not be linked. This can't be undone.
    ///
    /// First this calls `confirming` with what moves and what is lost, and again if that has changed meanwhile, three times
    /// at most. If the person says no, nothing is changed, and the error is `cancelled`.
    ///
    /// It needs a sign-in of the last five minutes. Without one, the client asks the person to sign in with Apple once more,
    /// if Apple opened this session. If an email address or another provider opened it, the client doesn't ask: the error is
    /// `refused` with `requires_recent_login`.
    ///
    /// If an Apple Account hides the person's address, and the accounts know who they are, the service needs their consent, for
    /// which this calls `consent` as ``link(promptingIfNeeded:presentationAnchor:consent:)`` does.
    ///
    /// The id of the other account is gone. Apps that are signed in to it get `sessionEnded`, with
    /// ``AccountClientError/mergedInto``.
    ///
    /// Throws as ``reauthenticate(presentationAnchor:)`` does; `refused` with `handle_invalid` for a handle that was used, is
    /// too old, or was given to another session, and with `account_disabled` if the operator has disabled the other account.
    /// - Parameters:
    ///   - handle: from ``AccountClientError/signInHandle``, in the session that tried the link.
    ///   - promptingIfNeeded: whether the person may be asked for a recent sign-in. Otherwise it is `refused` with
    ///     `requires_recent_login`.
    ///   - presentationAnchor: the window over which Apple's sheet comes, as for ``signIn(scopes:presentationAnchor:)``.
    ///   - confirming: shows the person the plan, and returns whether they want that.
    ///   - consent: shows the person the text of a question, and returns whether they agree; nil never asks.
    /// - Returns: the account after the merge.
    @discardableResult
    public func mergeAccounts(
        with handle: SignInHandle, promptingIfNeeded: Bool = true, presentationAnchor: PresentationAnchor? = nil,
        confirming: @escaping MergePrompt, consent: ConsentPrompt? = nil
    ) async throws(AccountClientError) -> Account {
        try await calls.mergeAccounts(
            with: handle, confirming: confirming, asking: consent,
            proof: promptingIfNeeded ? ask(for: [], over: presentationAnchor) : nil)
    }
}

extension AccountCalls {
    /// The greatest number of plans that a person is shown.
    private static let maximumPlans = 3

    /// - Parameter proof: asks the person when a recent sign-in is needed; nil never asks.
    fileprivate func mergeAccounts(
        with handle: SignInHandle, confirming confirm: @escaping MergePrompt, asking ask: ConsentPrompt?,
        proof: Authorize?
    ) async throws(AccountClientError) -> Account {
        try await session.withAuthorization { _ throws(AccountClientError) in
            var plans = 1
            while true {
                let preview = try await withRecentProof(by: proof) { () throws(AccountClientError) in
                    try await mergePreview(handle)
                }
                guard await confirm(AccountMergePlan(preview)) else {
                    throw AccountClientError(.cancelled, "the person did not want the merge")
                }
                if Task.isCancelled {
                    throw AccountClientError(.cancelled, "cancelled while the person was asked about the merge")
                }
                do throws(AccountClientError) {
                    return try await withRecentProof(by: proof) { () throws(AccountClientError) in
                        try await merge(handle, preview, ask)
                    }
                } catch let error where error.code == .refused(.mergeChanged) && plans < Self.maximumPlans {
                    plans += 1
                }
            }
        }
    }

    private func mergePreview(_ handle: SignInHandle) async throws(AccountClientError) -> MergePreviewAnswer {
        let request = MergePreviewRequest(handle: handle.secret)
        return try await call(doing: "asking what a merge does") { token throws(ServiceError) in
            try await environment.retries(3) { () async throws(ServiceError) in
                try await connection.send(
                    "POST", "/v1/account/merge/preview", body: request, accessToken: token,
                    as: MergePreviewAnswer.self)
            }
        }
    }

    /// The service knows a repeat by its handle, so a call whose answer was lost is made again.
    private func merge(
        _ handle: SignInHandle, _ preview: MergePreviewAnswer, _ ask: ConsentPrompt?
    ) async throws(AccountClientError) -> Account {
        let answered = try await withConsent(ask) { consent throws(AccountClientError) in
            let request = MergeRequest(handle: handle.secret, plan: preview.plan, consent: consent)
            return try await answer(doing: "merging the accounts", as: preview.into) { token throws(ServiceError) in
                try await environment.retries(3) { () async throws(ServiceError) in
                    try await connection.send(
                        "POST", "/v1/account/merge", body: request, accessToken: token,
                        languages: environment.languages(), as: MergeAnswer.self)
                }
            }
        }
        return try await take(answered.value.account, changedBy: answered)
    }
}
