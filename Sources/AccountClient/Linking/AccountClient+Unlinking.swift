import AccountAPI
import AccountConnection

extension AccountClient {
    /// Removes an identity from the account, so that nobody gets in with it any more. The sessions that it opened end. If it
    /// opened this one, the person is signed out here too, and signs in with another.
    ///
    /// The account service asks Apple to end its authorization of an Apple Account. An email address goes with its password,
    /// which this device forgets too. An identity that was removed meanwhile is no error. A removed identity can be linked
    /// again; if its person signs in with it instead, they get a new account.
    ///
    /// It needs a sign-in of the last five minutes, for which a person who signs in with Apple is asked once more when it is
    /// due. A person who signs in by email address is not asked: it is `refused` with `requires_recent_login`. Then the app
    /// calls ``reauthenticate(password:)``.
    ///
    /// Throws as ``reauthenticate(presentationAnchor:)`` does; `refused` with `last_way_in` if nobody could sign in to the
    /// account any more. When the answer is lost on the way, and the account service then knows the session no more, that
    /// is `sessionEnded`, with a hint that says so.
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
        do throws(AccountClientError) {
            return try await remove(identity)
        } catch let error where error.code == .refused(.requiresRecentLogin) {
            guard let authorize, try await isOpenedByApple() else { throw error }
            _ = try await reauthenticate(authorize)
            return try await remove(identity)
        }
    }

    private func remove(_ identity: AccountIdentity) async throws(AccountClientError) -> UnlinkedIdentity {
        let now = try await session.ask(.read)
        guard let account = now.session?.account.id else { throw now.nobody }
        // Whether a call may have been heard and its answer lost.
        var isUncertain = false
        do throws(AccountClientError) {
            let answered = try await answer(doing: "removing a way in", as: account) { token throws(ServiceError) in
                try await environment.retries(3) { () async throws(ServiceError) in
                    do throws(ServiceError) {
                        return try await connection.send(
                            "DELETE", "/v1/links/\(identity.id.inQuery)", accessToken: token,
                            languages: environment.languages(), as: UnlinkAnswer.self)
                    } catch {
                        if error.mayHaveLostAnswer { isUncertain = true }
                        throw error
                    }
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
            _ = try await session.ask(.sessionEndedByPerson(answered.epoch))
            if identity.provider == .email { await removeSavedPassword(of: identity.address) }
        } else {
            await forget(identity, left: left, answered.epoch)
        }
        return UnlinkedIdentity(
            identities: left, isSignedOut: answered.value.endsSession,
            manualRemoval: ManualRemoval(answered.value.manualRemoval))
    }

    /// Lets go of what this device knows of a removed identity, in a session that goes on.
    private func forget(_ identity: AccountIdentity, left: [AccountIdentity], _ epoch: SessionEpoch) async {
        if identity.provider == .email { await removeSavedPassword(of: identity.address) }
        // A session that Apple opened keeps its person: another Apple Account is gone.
        if !left.contains(where: { $0.isCurrent && $0.provider == .apple }) {
            do {
                _ = try await session.ask(.userForgotten(epoch))
            } catch {
                // The next change is stored with it. Until then a start of the app says what was true before.
            }
        }
        await followAccountChange()
    }
}
