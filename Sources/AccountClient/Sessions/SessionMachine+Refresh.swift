import AccountAPI
import AccountConnection

/// How an access token is renewed, and how a session ends because the service says so.
extension SessionMachine {
    /// The refresh that is under way. It goes on if one of its callers is cancelled.
    enum Refresh: Equatable, Sendable {
        case idle
        /// Storage is read, since another process may have exchanged the token, signed out or signed somebody else in;
        /// or the record in memory is written, if storage doesn't have it.
        case takingOver
        /// The attempt is stored.
        case storingAttempt
        case exchanging(String, newDeviceName: String?)
        /// The successor is stored.
        case storingSuccessor
        /// The service says that the session is over; the callers wait for ``Ending``.
        case ending
    }

    /// The end of a session, after the service has said that it is over.
    ///
    /// The machine first reads storage, because another process may have stored another session. Then it asks the service who
    /// has ended this one. It removes the session from storage before callers get the error. If storage fails, its error is
    /// the cause of theirs, and the next start asks the service again.
    struct Ending: Sendable {
        enum Step: Sendable {
            case readingStorage, explaining, storing
        }

        /// The refresh token that the session had when the service was asked.
        let token: String
        let code: ErrorCode
        let cause: ServiceError
        var step = Step.readingStorage
        /// The calls that wait: they are repeated, or fail.
        var waiters: [RequestID] = []
    }

    // MARK: Access tokens

    mutating func giveAccessToken(to id: RequestID) {
        guard record?.session != nil else { return fail(id, notSignedInError) }
        guard let access, access.isGood(at: now.instant) else {
            tokenWaiters.append(id)
            return startRefresh()
        }
        guard isUnsaved else { return succeed(id) }
        save(then: .accessToken(id))
    }

    private mutating func startRefresh() {
        guard refresh == .idle else { return }
        guard record?.session != nil else { return finishRefresh(notSignedInError) }
        guard ending == nil else {
            refresh = .ending
            return
        }
        refresh = .takingOver
        if isUnsaved {
            save(then: .refresh(epoch))
        } else {
            load(then: .refresh(epoch))
        }
    }

    mutating func refreshLoaded(_ result: Result<StoredRecord, AccountClientError>) {
        guard refresh == .takingOver else { return }
        switch result {
        case .success(let stored):
            let before = epoch
            if !isUnsaved, stored != record { adopt(stored) }
            // If the stored session is another one, `adopt` has begun the refresh anew.
            if epoch == before { sendWithAttempt() }
        case .failure(let error): finishRefresh(error)
        }
    }

    mutating func refreshSaved(_ failure: AccountClientError?) {
        switch refresh {
        case .takingOver, .storingAttempt:
            if let failure { finishRefresh(failure) } else { sendWithAttempt() }
        case .storingSuccessor: finishRefresh(failure)
        case .idle, .exchanging, .ending: break
        }
    }

    /// Makes up the attempt for the present refresh token, if there is none yet, stores it, and then sends both.
    ///
    /// If another process stores its own attempt or successor in the same moment, the machine adopts that one.
    private mutating func sendWithAttempt() {
        guard let session = record?.session else { return finishRefresh(notSignedInError) }
        guard let attempt = session.attempt else {
            record?.session?.attempt = now.attempt
            refresh = .storingAttempt
            return save(then: .refresh(epoch))
        }
        let newName = session.deviceName == deviceName ? nil : deviceName
        refresh = .exchanging(session.refreshToken, newDeviceName: newName)
        act(.refresh(session.refreshToken, attempt: attempt, deviceName: newName))
    }

    mutating func refreshed(_ result: Result<RefreshAnswer, ServiceError>, presented: String) {
        guard case .exchanging(presented, let newName) = refresh, let session = record?.session else { return }
        switch result {
        case .success(let answer):
            guard [presented, answer.session.refreshToken].contains(session.refreshToken) else {
                // Another process's session, or successor, has been taken over meanwhile.
                refresh = .idle
                return startRefresh()
            }
            record?.session?.refreshToken = answer.session.refreshToken
            record?.session?.attempt = nil
            // A person who has left at Apple would have no session. A revocation that they ordered here stays as it is.
            if session.user != nil, session.standing?.isEnded != true {
                record?.session?.standing = AppleStanding(state: "authorized", askedAt: now.secondsSince1970)
            }
            if let newName { record?.session?.deviceName = newName }
            access = AccessToken(answer.session, at: now.instant)
            isConfirmed = true
            publish()
            refresh = .storingSuccessor
            save(then: .refresh(epoch))
        case .failure(let error):
            guard let code = error.endOfSession else {
                return finishRefresh(AccountClientError(error, doing: "renewing the session"))
            }
            end(presented, code, cause: error, for: nil)
            refresh = .ending
        }
    }

    /// Begins the refresh anew: storage has another process's session or successor, or nothing, or can't be read.
    mutating func refreshAbandoned(_ presented: String) {
        guard case .exchanging(presented, _) = refresh else { return }
        refresh = .idle
        startRefresh()
    }

    private mutating func finishRefresh(_ failure: AccountClientError?) {
        refresh = .idle
        let waiters = tokenWaiters
        tokenWaiters = []
        for id in waiters {
            if let failure {
                fail(id, failure)
            } else if access == nil {
                giveAccessToken(to: id)
            } else {
                succeed(id)
            }
        }
    }

    /// Begins the refresh anew, since another session has taken the place of the one that was being renewed. The machine drops
    /// the answer to a request that is on its way, and the steps that wait for storage.
    mutating func restartRefresh() {
        // The calls that wait for the former session's end are repeated when storage or the service has answered.
        guard refresh != .idle, refresh != .ending else { return }
        refresh = .idle
        startRefresh()
    }

    /// Ends the work for the former session, after another session has taken its place.
    mutating func dropWork(_ error: AccountClientError) {
        finishRefresh(error)
        repeatCalls()
    }

    // MARK: The end of a session

    /// - Parameters:
    ///   - token: the refresh token that the session had when the service was asked.
    ///   - id: the call that was refused; nil for a refresh.
    mutating func end(_ token: String, _ code: ErrorCode, cause: ServiceError, for id: RequestID?) {
        if ending?.token != token {
            repeatCalls()
            ending = Ending(token: token, code: code, cause: cause)
            load(then: .ending(token))
        }
        if let id { ending?.waiters.append(id) }
    }

    mutating func endingLoaded(_ result: Result<StoredRecord, AccountClientError>, of token: String) {
        guard let ending = continuing(token, at: .readingStorage) else { return }
        // If storage can't be read, the write that follows reports it, unless storage works again by then.
        if case .success(let stored) = result, let other = stored.session?.refreshToken, other != token,
            other != lastSeen.session?.refreshToken
        {
            access = nil
            adopt(stored)
            return repeatCalls()
        }
        // These two codes say who has ended the session.
        guard ending.code != .refreshTokenReused, ending.code != .accountMerged else {
            return conclude(ending, .otherwise)
        }
        self.ending?.step = .explaining
        act(.explainEnd(of: token))
    }

    mutating func endExplained(_ explanation: EndExplanation, of token: String) {
        guard let ending = continuing(token, at: .explaining) else { return }
        conclude(ending, explanation)
    }

    /// The ending at this step, if the session still has the token. Otherwise its calls are repeated.
    private mutating func continuing(_ token: String, at step: Ending.Step) -> Ending? {
        guard let ending, ending.token == token, ending.step == step else { return nil }
        guard record?.session?.refreshToken == token else {
            repeatCalls()
            return nil
        }
        return ending
    }

    private mutating func conclude(_ ending: Ending, _ explanation: EndExplanation) {
        guard let session = record?.session else { return repeatCalls() }
        let former: EndedSession?
        let mergedInto = ending.code == .accountMerged ? ending.cause.details?.merged?.into : nil
        var reason = mergedInto.map { SignOutReason.accountMerged(into: $0) } ?? .ended(ending.code)
        switch explanation {
        case .byApple(let standing):
            former = EndedSession(session, standing)
            if standing.isEnded { reason = .appleAccessEnded }
        case .otherwise: former = nil
        case .unknown: former = EndedSession(session, nil)
        }
        self.ending?.step = .storing
        if refresh != .idle { refresh = .ending }
        forgetSession(reason)
        record?.ended = former
        record?.mergedInto = mergedInto
        if reason == .appleAccessEnded { act(.announceAppleAccessEnded) }
        save(then: .ending(ending.token))
    }

    mutating func endingSaved(_ failure: AccountClientError?, of token: String) {
        guard let ending, ending.token == token, ending.step == .storing else { return }
        // Another process has stored another session meanwhile.
        if record?.session != nil, failure == nil { return repeatCalls() }
        let cause: any Error = failure ?? ending.cause
        let error: AccountClientError =
            signOutReason == .appleAccessEnded
            ? .appleAccessEnded(cause: cause) : .sessionEnded(ending.code, cause: cause)
        self.ending = nil
        for id in ending.waiters {
            fail(id, error)
        }
        finishRefresh(error)
    }

    /// There is another session, or another refresh token: calls that were refused are made again with that.
    private mutating func repeatCalls() {
        let waiters = ending?.waiters ?? []
        ending = nil
        for id in waiters {
            succeed(id)
        }
        if refresh == .ending {
            refresh = .idle
            startRefresh()
        }
    }
}
