import AccountAPI
import AccountConnection

/// The calls of the account service that a session itself needs: they renew it, end it, and ask how the person stands.
struct SessionService: Sendable {
    let connection: ServiceConnection
    let environment: ClientEnvironment

    private static let timeToExplain = Duration.seconds(5)
    private static let timeToEnd = Duration.seconds(5)

    /// Exchanges a refresh token for its successor.
    ///
    /// A lost answer may have used the token up, and an account service of a former version repeats its answer only for
    /// thirty seconds. So the request is repeated soon, unless it is plain that nothing has arrived there.
    /// - Parameter isStored: whether storage still has the token. This is asked before each repeat, because another process
    ///   may have exchanged the token meanwhile. Once that process has used the successor, the account service takes a
    ///   repeat for a theft and ends the session.
    /// - Returns: nil if storage doesn't have the token any more.
    func refresh(
        _ refreshToken: String, attempt: String, deviceName: String?, whileStored isStored: @Sendable () async -> Bool
    ) async throws(ServiceError) -> RefreshAnswer? {
        let body = RefreshRequest(refreshToken: refreshToken, deviceName: deviceName, attempt: attempt)
        var isRepeat = false
        return try await repeating(attempts: 3) { () async throws(ServiceError) -> RefreshAnswer? in
            if isRepeat, !(await isStored()) { return nil }
            isRepeat = true
            return try await exchange(body)
        }
    }

    private func repeating<Answer: Sendable>(
        attempts: Int, _ work: () async throws(ServiceError) -> Answer
    ) async throws(ServiceError) -> Answer {
        try await environment.retries(attempts, unless: \.neverArrived, work)
    }

    private func exchange(_ body: RefreshRequest) async throws(ServiceError) -> RefreshAnswer {
        try await environment.countingFromRequest { () async throws(ServiceError) in
            try await connection.send("POST", "/v1/session/refresh", body: body, as: RefreshAnswer.self)
        }
    }

    /// Asks how the person stands at Apple.
    /// - Parameter token: an access token. If the session has ended because of Apple, its last refresh token is good
    ///   for this call too.
    func standing(_ token: String) async throws(ServiceError) -> AppleStanding {
        let answer = try await connection.send(
            "GET", "/v1/apple/credential-state", accessToken: token, as: CredentialStateAnswer.self)
        return AppleStanding(
            state: answer.credentialState, askedAt: environment.secondsSince1970,
            transferSubjectHash: answer.transferSubjectHash)
    }

    /// Asks the service who has ended a session. The session's refresh token still works for this question.
    func explainEnd(of refreshToken: String) async -> EndExplanation {
        do throws(AccountClientError) {
            return try await environment.withDeadline(Self.timeToExplain) { await explanation(of: refreshToken) }
        } catch {
            return .unknown
        }
    }

    private func explanation(of refreshToken: String) async -> EndExplanation {
        do throws(ServiceError) {
            return .byApple(try await standing(refreshToken))
        } catch {
            if case .answered(let status, _, _, _) = error, status < 500, !error.isTransient { return .otherwise }
            return .unknown
        }
    }

    /// Ends a session at the service, after the client has forgotten it.
    /// - Returns: whether the account service has no such session any more. When it cannot be asked, the session lives
    ///   there until it expires, and nobody holds its tokens.
    func end(_ refreshToken: String, attempt: String?, access: AccessToken?) async -> Bool {
        do throws(AccountClientError) {
            return try await environment.withDeadline(Self.timeToEnd) {
                do throws(ServiceError) {
                    try await endNow(refreshToken, attempt, access)
                    return true
                } catch {
                    return error.endOfSession != nil
                }
            }
        } catch {
            return false
        }
    }

    private func endNow(_ refreshToken: String, _ attempt: String?, _ access: AccessToken?) async throws(ServiceError) {
        if let access, access.isGood(at: environment.now()) {
            do {
                return try await connection.send("DELETE", "/v1/session", accessToken: access.token)
            } catch let error where error.wantsOtherAccessToken {
                // A new one is asked for.
            }
        }
        let body = RefreshRequest(
            refreshToken: refreshToken, deviceName: nil, attempt: attempt ?? environment.makeAttempt())
        let renewed = try await repeating(attempts: 2) { () async throws(ServiceError) in try await exchange(body) }
        try await connection.send("DELETE", "/v1/session", accessToken: renewed.session.accessToken)
    }
}
