import AccountAPI
import AccountConnection

extension AccountClient {
    /// Removes an identity from the account, so that it opens the account no longer. The sessions that it opened end. If it
    /// opened this session, the person is signed out here too, and has to sign in with another identity.
    ///
    /// For an Apple Account, the account service asks Apple to end the authorization. For an email address, the service and
    /// this device also forget the password. If the identity was removed meanwhile, that is no error. A removed identity can
    /// be linked again. If the person signs in with it instead, they get a new account.
    ///
    /// It needs a sign-in of the last five minutes. Without one, the client asks the person to sign in with Apple once more,
    /// if Apple opened this session. If an email address or another provider opened it, the client doesn't ask: the error is
    /// `refused` with `requires_recent_login`. Then call ``reauthenticate(password:)`` or `reauthenticate(with:)`.
    ///
    /// Throws as ``reauthenticate(presentationAnchor:)`` does; `refused` with `last_way_in` if it is the last way in to
    /// the account. If the response is lost and the session has ended meanwhile, this throws `sessionEnded` with a hint.
    /// - Parameters:
    ///   - identity: one of ``links()``.
    ///   - promptingIfNeeded: whether the person may be asked. Otherwise, without a recent sign-in, it is `refused` with
    ///     `requires_recent_login`.
    ///   - presentationAnchor: the window over which Apple's sheet comes, as for ``signIn(scopes:presentationAnchor:)``.
    /// - Returns: what is left, and whether the person is signed out here.
    @discardableResult
    public func unlink(
        _ identity: AccountIdentity, promptingIfNeeded: Bool = true, presentationAnchor: PresentationAnchor? = nil
    ) async throws(AccountClientError) -> UnlinkedIdentity {
        try await calls.unlink(identity, promptingIfNeeded ? ask(for: [], over: presentationAnchor) : nil)
    }
}

extension AccountCalls {
    /// - Parameter authorize: asks the person when a recent sign-in is needed; nil never asks.
    fileprivate func unlink(
        _ identity: AccountIdentity, _ authorize: Authorize?
    ) async throws(AccountClientError) -> UnlinkedIdentity {
        try await withReauthentication(by: authorize) { () throws(AccountClientError) in try await remove(identity) }
    }

    private func remove(_ identity: AccountIdentity) async throws(AccountClientError) -> UnlinkedIdentity {
        let now = try await session.ask(.read)
        guard let account = now.session?.account.id else { throw now.notSignedInError }
        // Whether the service may have carried out a call whose answer was lost.
        var isUncertain = false
        do throws(AccountClientError) {
            let answered = try await answer(doing: "removing a way in", as: account) { token throws(ServiceError) in
                try await environment.retries(3, noting: &isUncertain) { () async throws(ServiceError) in
                    try await connection.send(
                        "DELETE", "/v1/links/\(identity.id.inQuery)", accessToken: token,
                        languages: environment.languages(), as: UnlinkAnswer.self)
                }
            }
            return try await take(answered, without: identity)
        } catch let error where error.code == .refused(.identityUnknown) {
            // It was removed meanwhile, or the answer that said so was lost.
            let left = try await links()
            await forget(identity, left: left, now.epoch)
            return UnlinkedIdentity(identities: left, isSignedOut: false, manualRemoval: nil)
        } catch let error where error.code == .sessionEnded && isUncertain {
            throw AccountClientError(
                .sessionEnded, "the answer to the removal was lost, and the session has ended",
                hint: "Most likely the way in is removed: let the person sign in with another.", cause: error.cause)
        }
    }

    private func take(
        _ answered: Answered<UnlinkAnswer>, without identity: AccountIdentity
    ) async throws(AccountClientError) -> UnlinkedIdentity {
        let left = answered.value.links.map { AccountIdentity($0) }
        if answered.value.endsSession {
            try await note(.sessionEndedByPerson(answered.epoch))
            if identity.provider == .email { await removeSavedPassword(of: identity.address) }
        } else {
            await forget(identity, left: left, answered.epoch)
        }
        return UnlinkedIdentity(
            identities: left, isSignedOut: answered.value.endsSession,
            manualRemoval: ManualRemoval(answered.value.manualRemoval))
    }

    /// Makes this device forget a removed identity, in a session that goes on.
    private func forget(_ identity: AccountIdentity, left: [AccountIdentity], _ epoch: SessionEpoch) async {
        if identity.provider == .email { await removeSavedPassword(of: identity.address) }
        // A session that Apple opened keeps its person: another Apple Account is gone.
        if !left.contains(where: { $0.isCurrent && $0.provider == .apple }) {
            do {
                _ = try await session.ask(.userForgotten(epoch))
            } catch {
                // The next change of the record stores this one, too. Until then, a start of the app finds the former record.
            }
        }
        await followAccountChange()
    }
}
