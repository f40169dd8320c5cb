import AccountAPI

import class OpenAuthenticationServices.Arrival
import enum OpenAuthenticationServices.RandomText
import enum OpenAuthenticationServices.ServiceError

extension ClientCore {
    func accessToken() async throws -> String {
        guard try await loaded().session != nil else { throw nobody }
        if let access, access.isGood(at: environment.now()) {
            if isUnsaved { try await save() }
            return access.token
        }
        return try await refreshed()
    }

    /// One refresh for all who ask while it is under way. It belongs to none of them: whoever is cancelled leaves
    /// alone.
    private func refreshed() async throws -> String {
        let arrival = Arrival<String>()
        if refresh == nil {
            let number = nextNumber()
            refresh = SharedRefresh(number: number)
            Task { await self.runRefresh(number) }
        }
        refresh?.waiting.append(arrival)
        do {
            return try await arrival.value()
        } catch is CancellationError {
            throw AccountClientError(.cancelled, "the caller was cancelled while the session was being renewed")
        }
    }

    private func runRefresh(_ number: Int) async {
        let result: Result<String, any Error>
        do {
            result = .success(try await renew())
        } catch {
            result = .failure(error)
        }
        if refresh?.number == number { endRefresh(result) }
    }

    func endRefresh(_ result: Result<String, any Error>) {
        let waiting = refresh?.waiting ?? []
        refresh = nil
        for arrival in waiting {
            arrival.deliver(result)
        }
    }

    /// The attempt is stored before the refresh is sent, and the successor before the access token goes out: whoever dies
    /// in between presents the old token again with the same attempt, for which the account service has the same
    /// successor until something of the answer has been used.
    private func renew() async throws(AccountClientError) -> String {
        let era = self.era
        try await takeOver()
        try await storeAttempt()
        guard era == self.era, let session = record?.session else { throw nobody }
        let newName = session.deviceName == deviceName ? nil : deviceName
        let answer: RefreshAnswer
        do {
            answer = try await exchange(session.refreshToken, attempt: session.attempt, deviceName: newName)
        } catch {
            guard era == self.era else { throw nobody }
            guard let code = error.endOfSession else { throw AccountClientError(error, doing: "renewing the session") }
            if let ended = await endSession(code, of: session.refreshToken, because: error) { throw ended }
            return try await renew()
        }
        guard era == self.era else { throw nobody }
        record?.session?.refreshToken = answer.session.refreshToken
        record?.session?.attempt = nil
        // Apple's word would have ended the session. What the person had revoked themselves stays so.
        if session.standing?.isEnded != true {
            record?.session?.standing = AppleStanding(state: "authorized", askedAt: now)
        }
        if let newName { record?.session?.deviceName = newName }
        access = AccessToken(
            token: answer.session.accessToken,
            expiresAt: environment.now() + .seconds(answer.session.expiresIn))
        isConfirmed = true
        publish()
        try await save()
        guard era == self.era else { throw nobody }
        return answer.session.accessToken
    }

    /// Another process with the same storage may have exchanged the token, signed out, or signed somebody else in.
    private func takeOver() async throws(AccountClientError) {
        guard !isUnsaved else { return try await save() }
        let era = self.era
        let stored = try await store.load()
        if era == self.era, !isUnsaved, stored != record { adopt(stored) }
    }

    /// Makes up the attempt for the present refresh token, if there is none yet, and stores it.
    ///
    /// Another process may store its own, or a successor, in the same moment: then that one is taken over.
    private func storeAttempt() async throws(AccountClientError) {
        let era = self.era
        while era == self.era, let session = record?.session, session.attempt == nil {
            record?.session?.attempt = Self.newAttempt()
            try await save()
        }
    }

    private static func newAttempt() -> String { RandomText.make(byteCount: 16) }

    /// - Parameters:
    ///   - attempt: Without one that is stored, one is made up that serves for the repeats of this call.
    ///   - attempts: A lost answer may have used the token up, and an account service of a former version repeats itself
    ///     only for thirty seconds: so again soon, unless it is plain that nothing has arrived there.
    func exchange(
        _ refreshToken: String, attempt: String?, deviceName: String? = nil, attempts: Int = 3
    ) async throws(ServiceError) -> RefreshAnswer {
        let body = RefreshRequest(
            refreshToken: refreshToken, deviceName: deviceName, attempt: attempt ?? Self.newAttempt())
        return try await repeating(attempts: attempts, unless: \.neverArrived) { () async throws(ServiceError) in
            try await self.connection.send("POST", "/v1/session/refresh", body: body)
        }
    }
}
