import AccountAPI
import AccountConnection

/// The outcome of ``AccountClient/withdrawConsent(_:promptingIfNeeded:presentationAnchor:)``.
public struct WithdrawnConsent: Hashable, Sendable {
    /// The account without the data that the consent allowed.
    public let account: Account
    /// The identity that had been linked with the consent, and no longer opens the account. Empty if none had been.
    public let unlinked: [AccountIdentity]
    /// The identity that had been linked with the consent and stays, because nobody could sign in without it.
    public let kept: [AccountIdentity]
    /// Whether the person is signed out on this device, because one of ``unlinked`` had opened the session.
    public let isSignedOut: Bool
    /// Instructions to show to the person if the account service can't ask Apple to end its authorization; nil when it
    /// asks, or when nothing is left to end.
    public let manualRemoval: ManualRemoval?
}

extension AccountClient {
    /// Withdraws a consent of the person's, and removes the data that it allowed: the contact address, confirmed or not, or
    /// the phone number. If the consent was withdrawn meanwhile, that is no error.
    ///
    /// If the consent is to ``ConsentPurpose/linkedIdentity``, the service also removes the identity that was linked with it,
    /// as ``unlink(_:promptingIfNeeded:presentationAnchor:)`` does, unless it is the last way in to the account. If that
    /// identity opened this session, the person is signed out here too, and has to sign in with another one.
    ///
    /// A withdrawal that removes an identity needs a sign-in of the last five minutes. Without one, the client asks the person
    /// to sign in with Apple once more, if Apple opened this session. If an email address or another provider opened it, the
    /// client doesn't ask: the error is `refused` with `requires_recent_login`. Then call ``reauthenticate(password:)`` or
    /// `reauthenticate(with:)`.
    ///
    /// Throws as ``accessToken()`` and ``reauthenticate(presentationAnchor:)`` do, and `refused` and `invalidResponse`. If the
    /// response is lost and the session has ended meanwhile, this throws `sessionEnded` with a hint.
    /// - Parameters:
    ///   - consent: one of ``consents()``.
    ///   - promptingIfNeeded: whether the person may be asked. Otherwise, where a recent sign-in is needed, it is `refused`
    ///     with `requires_recent_login`.
    ///   - presentationAnchor: the window over which Apple's sheet comes, as for ``signIn(scopes:presentationAnchor:)``.
    /// - Returns: the account without what was removed, and the identities that went.
    @discardableResult
    public func withdrawConsent(
        _ consent: Consent, promptingIfNeeded: Bool = true, presentationAnchor: PresentationAnchor? = nil
    ) async throws(AccountClientError) -> WithdrawnConsent {
        try await calls.withdrawConsent(consent, promptingIfNeeded ? ask(for: [], over: presentationAnchor) : nil)
    }
}

extension AccountCalls {
    /// - Parameter authorize: asks the person when a recent sign-in is needed; nil never asks.
    fileprivate func withdrawConsent(
        _ consent: Consent, _ authorize: Authorize?
    ) async throws(AccountClientError) -> WithdrawnConsent {
        try await withReauthentication(by: authorize) { () throws(AccountClientError) in try await withdraw(consent) }
    }

    private func withdraw(_ consent: Consent) async throws(AccountClientError) -> WithdrawnConsent {
        let now = try await session.ask(.read)
        guard let account = now.session?.account.id else { throw now.notSignedInError }
        // Whether the service may have carried out a call whose answer was lost.
        var isUncertain = false
        do throws(AccountClientError) {
            let answered = try await answer(doing: "withdrawing a consent", as: account) {
                token throws(ServiceError) in
                try await environment.retries(3, noting: &isUncertain) { () async throws(ServiceError) in
                    try await connection.send(
                        "DELETE", "/v1/consents/\(consent.id.inQuery)", accessToken: token,
                        languages: environment.languages(), as: ConsentWithdrawalAnswer.self)
                }
            }
            return try await take(answered)
        } catch let error where error.code == .refused(.consentUnknown) {
            // It was withdrawn meanwhile, or the answer that said so was lost.
            let left = try await reloadAccount()
            await forgetWaysIn(of: now, missingIn: left)
            return WithdrawnConsent(account: left, unlinked: [], kept: [], isSignedOut: false, manualRemoval: nil)
        } catch let error where error.code == .sessionEnded && isUncertain {
            throw AccountClientError(
                .sessionEnded, "the answer to the withdrawal was lost, and the session has ended",
                hint:
                    "Most likely the consent is withdrawn, and the way in that it had joined is removed: let the person "
                    + "sign in with another.",
                cause: error.cause)
        }
    }

    private func take(
        _ answered: Answered<ConsentWithdrawalAnswer>
    ) async throws(AccountClientError) -> WithdrawnConsent {
        let (answer, epoch) = (answered.value, answered.epoch)
        let unlinked = answer.unlinked.map { AccountIdentity($0) }
        let told = try await note(.accountChanged(answer.account, epoch))
        guard var account = told.state.account else { throw told.notSignedInError }
        for identity in unlinked where identity.provider == .email {
            await removeSavedPassword(of: identity.address)
        }
        if answer.endsSession {
            try await note(.sessionEndedByPerson(epoch))
        } else {
            account = try await reviewed(told, after: answered)
            if unlinked.contains(where: { $0.provider == .apple }) { await forgetUnlinkedUser(epoch) }
        }
        return WithdrawnConsent(
            account: account, unlinked: unlinked, kept: answer.kept.map { AccountIdentity($0) },
            isSignedOut: answer.endsSession, manualRemoval: ManualRemoval(answer.manualRemoval))
    }

    /// Makes this device forget a way in that may have gone with a consent.
    /// - Parameters:
    ///   - former: the session before.
    ///   - account: the account as the service tells it now.
    private func forgetWaysIn(of former: SessionSnapshot, missingIn account: Account) async {
        if let email = former.session?.account.waysIn?.email, let ways = account.waysIn, ways.email != email {
            await removeSavedPassword(of: email)
        }
        // With two Apple Accounts nothing tells which one has gone, so the identifier stays.
        if account.user != nil, account.waysIn?.apple == false { await forgetUnlinkedUser(former.epoch) }
    }

    /// Forgets Apple's identifier of the person, who may have been unlinked, unless an Apple Account opened this session.
    private func forgetUnlinkedUser(_ epoch: SessionEpoch) async {
        do {
            guard try await !links().contains(where: { $0.isCurrent && $0.provider == .apple }) else { return }
            _ = try await session.ask(.userForgotten(epoch))
        } catch {
            // The identifier stays here until the person next proves at Apple who they are.
        }
    }
}
