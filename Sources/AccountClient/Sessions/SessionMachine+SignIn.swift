import AccountAPI
import AccountConnection

/// How a session begins: the machine hands it out once storage has it, and ends the former session at the service.
extension SessionMachine {
    /// A sign-in whose session is not stored yet, and what was there before.
    struct SignInToStore: Sendable {
        var answer: SignInAnswer
        var epoch: SessionEpoch
        var former: Former

        struct Former: Sendable {
            var record: StoredRecord?
            var access: AccessToken?
            var isConfirmed: Bool
            var isUnsaved: Bool
            var epoch: SessionEpoch
        }
    }

    /// Replaces the former session by a new one. If the new session can't be stored, the machine ends it, because it would not
    /// outlive the process.
    mutating func signIn(
        _ answer: SignInAnswer, user: String?, by authorization: AuthorizationID, for id: RequestID
    ) {
        guard self.authorization == authorization else {
            endUnused(answer.session)
            return fail(id, .superseded)
        }
        let former = SignInToStore.Former(
            record: record, access: access, isConfirmed: isConfirmed, isUnsaved: isUnsaved, epoch: epoch)
        epoch.advance()
        dropWork(.otherSession)
        let session = StoredSession(
            user: user, refreshToken: answer.session.refreshToken, account: answer.account, deviceName: deviceName,
            standing: user == nil ? nil : AppleStanding(state: "authorized", askedAt: now.secondsSince1970))
        record?.session = session
        record?.ended = nil
        record?.mergedInto = nil
        if let user { record?.forgetPendingName(of: user) }
        access = AccessToken(answer.session, at: now.instant)
        isConfirmed = true
        signInsToStore[id] = SignInToStore(answer: answer, epoch: epoch, former: former)
        save(replacing: true, then: .signIn(id))
    }

    /// The person of this session signs in with Apple from now on. The session and its refresh token stay.
    mutating func upgraded(_ upgrade: AccountUpgrade, _ epoch: SessionEpoch, for id: RequestID) {
        guard epoch == self.epoch, record?.session != nil else { return fail(id, earlierSessionError) }
        takeAccount(upgrade.account)
        record?.session?.user = upgrade.user
        record?.session?.standing = AppleStanding(state: "authorized", askedAt: now.secondsSince1970)
        record?.forgetPendingName(of: upgrade.user)
        if let access = upgrade.access { self.access = access }
        isConfirmed = true
        publish()
        save(then: .reply(id))
    }

    mutating func signInStored(_ id: RequestID, _ failure: AccountClientError?) {
        guard let signIn = signInsToStore.removeValue(forKey: id) else { return }
        guard signIn.epoch == epoch else {
            // A sign-out or a newer sign-in has taken this session's place, and ends it at the service. If the newer sign-in
            // fails too, it restores the session from before this one. After a sign-out nobody uses that one any more.
            if failure != nil, let newer = signInsToStore.first(where: { $0.value.former.epoch == signIn.epoch }) {
                signInsToStore[newer.key]?.former = signIn.former
                endUnused(signIn.answer.session)
            } else {
                endFormer(of: signIn)
            }
            return fail(id, failure ?? .superseded)
        }
        if let failure {
            endUnused(signIn.answer.session)
            let former = signIn.former
            let names = record?.pendingNames ?? []
            (record, access, isConfirmed) = (former.record, former.access, former.isConfirmed)
            // Another sign-in may have brought a name meanwhile: Apple tells it once.
            for pending in names { record?.keepPending(pending.name, of: pending.user) }
            isUnsaved = former.isUnsaved || record != former.record
            // Answers to calls of the session that could not be stored must not count for the former session.
            epoch.advance()
            publish()
            restartRefresh()
            return fail(id, failure)
        }
        publish()
        endFormer(of: signIn)
        succeed(id)
    }

    /// Ends the session at the service that a sign-in has replaced. Nobody uses its refresh token any more.
    private mutating func endFormer(of signIn: SignInToStore) {
        guard let old = signIn.former.record?.session else { return }
        act(.endUnused(refreshToken: old.refreshToken, attempt: old.attempt, signIn.former.access))
    }

    /// Ends a session at the service that nobody has used.
    mutating func endUnused(_ session: SessionBody) {
        let access = AccessToken(session, at: now.instant)
        act(.endUnused(refreshToken: session.refreshToken, attempt: nil, access))
    }
}
