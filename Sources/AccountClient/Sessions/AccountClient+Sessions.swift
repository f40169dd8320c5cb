import AccountAPI
import AccountConnection
public import Foundation

extension AccountClient {
    /// Returns a token for the `Authorization: Bearer` header of calls to the account service and to services that
    /// trust it, good for half a minute at least.
    ///
    /// Don't keep the token: call this before every request. The client asks the account service only when a new token is
    /// due, and once for all callers that wait. If a caller is cancelled, the others still get their token.
    ///
    /// Throws `notSignedIn`, `sessionEnded`, `backendUnavailable`, `storage`, `cancelled`.
    public func accessToken() async throws(AccountClientError) -> String {
        try await calls.session.accessToken().token
    }

    /// Forgets the session on this device, even if the account service doesn't answer. The client then asks the service to
    /// end the session, and waits five seconds at most, also if the caller is cancelled. A sign-in that is under way is
    /// cancelled.
    ///
    /// Throws `storage` if the session could not be removed from storage.
    /// - Returns: whether the account service has ended the session too.
    @discardableResult
    public func signOut() async throws(AccountClientError) -> Bool {
        try await calls.signOut()
    }

    /// Lists where the person is signed in, newest first: this device, others, and browsers.
    ///
    /// Throws as ``accessToken()`` does, and `invalidResponse`.
    public func sessions() async throws(AccountClientError) -> [AccountSession] {
        try await calls.sessions()
    }

    /// Ends one of the person's sessions, at once. If the session has ended meanwhile, that is no error. If it is this
    /// device's session, the person is signed out here too.
    ///
    /// Throws as ``accessToken()`` does.
    public func endSession(_ session: AccountSession) async throws(AccountClientError) {
        try await calls.endSession(session)
    }

    /// Ends all of the person's sessions but this one: for somebody who has lost a device.
    ///
    /// Throws as ``accessToken()`` does. If the response is lost and this session has ended meanwhile, this throws
    /// `sessionEnded` with a hint.
    public func endOtherSessions() async throws(AccountClientError) {
        try await calls.endSessions("/v1/sessions?except=current")
    }

    /// Ends all of the person's sessions. They are signed out here too.
    ///
    /// Throws as ``endOtherSessions()`` does.
    public func endAllSessions() async throws(AccountClientError) {
        let epoch = try await calls.endSessions("/v1/sessions")
        _ = try await calls.session.ask(.sessionEndedByPerson(epoch))
    }
}

/// A session of the person: one place where they are signed in.
public struct AccountSession: Hashable, Sendable, Identifiable {
    /// The account service's identifier; opaque.
    public let id: String
    /// Whether it is the session of a browser at the account service, and not of an app.
    public let isBrowser: Bool
    /// The bundle or Services identifier through which the person signed in.
    public let clientID: String
    /// The name that the account service knows the app or website by; nil when it has none.
    public let appName: String?
    /// The device's name, as the app gave it, or a plain name of the browser; nil if the service doesn't know it.
    public let deviceName: String?
    /// The time of the sign-in that opened the session.
    public let createdAt: Date
    /// The IP address that the session was opened from; nil when the account service doesn't know it.
    public let signInAddress: String?
    /// The time at which the session was last renewed. A browser's is noted once an hour.
    public let lastUsedAt: Date
    /// The time at which the session ends unless it is used before.
    public let expiresAt: Date
    /// Whether it is the session of this device.
    public let isCurrent: Bool
    /// The client's session in which ``isCurrent`` was true.
    let epoch: SessionEpoch

    init(_ session: ListedSession, epoch: SessionEpoch) {
        id = session.id
        isBrowser = session.kind == "browser"
        clientID = session.clientID
        appName = session.appName
        deviceName = session.deviceName
        createdAt = session.createdAt.date
        signInAddress = session.signInAddress
        lastUsedAt = session.lastUsedAt.date
        expiresAt = session.expiresAt.date
        isCurrent = session.current
        self.epoch = epoch
    }
}

extension AccountCalls {
    /// The number of pages of sessions that the client asks for. Without it, a faulty service could keep it asking.
    private static let maximumPages = 40

    func signOut() async throws(AccountClientError) -> Bool {
        // The reply has the session as it was before.
        let former = try await session.ask(.signOut)
        let failure: AccountClientError?
        do throws(AccountClientError) {
            _ = try await session.ask(.store)
            failure = nil
        } catch {
            failure = error
        }
        var isEnded = former.isRead
        if let stored = former.session {
            // In a task of its own: if the caller is cancelled, the service is told all the same.
            isEnded =
                await Task {
                    await service.end(stored.refreshToken, attempt: stored.attempt, access: former.access)
                }.value
        }
        if let failure { throw failure }
        return isEnded
    }

    func sessions() async throws(AccountClientError) -> [AccountSession] {
        let now = try await session.ask(.read)
        guard let account = now.session?.account.id else { throw now.notSignedInError }
        var sessions: [AccountSession] = []
        var path = "/v1/sessions"
        for _ in 0..<Self.maximumPages {
            let page = try await answer(doing: "asking for the sessions", as: account) {
                [path] token throws(ServiceError) in
                try await connection.send("GET", path, accessToken: token, as: SessionListAnswer.self)
            }
            sessions += page.value.sessions.map { AccountSession($0, epoch: page.epoch) }
            guard let next = page.value.next else { break }
            path = "/v1/sessions?before=" + next.inQuery
        }
        return sessions
    }

    func endSession(_ ended: AccountSession) async throws(AccountClientError) {
        let now = try await session.ask(.read)
        let isOwn = ended.isCurrent && ended.epoch == now.epoch
        do throws(AccountClientError) {
            try await call(doing: "ending a session") { token throws(ServiceError) in
                try await environment.retries(3) { () async throws(ServiceError) in
                    try await connection.send("DELETE", "/v1/sessions/\(ended.id.inQuery)", accessToken: token)
                }
            }
        } catch let error where error.code == .refused(.sessionUnknown) {
            // The session has ended meanwhile.
        } catch let error where error.code == .sessionEnded && isOwn {
            // This device's session has ended, so its access token is refused.
        }
        if ended.isCurrent { _ = try await session.ask(.sessionEndedByPerson(ended.epoch)) }
    }

    /// - Returns: the session in which the call was made.
    @discardableResult
    func endSessions(_ path: String) async throws(AccountClientError) -> SessionEpoch {
        let now = try await session.ask(.read)
        // Whether the service may have carried out a call whose answer was lost.
        var isUncertain = false
        do throws(AccountClientError) {
            try await call(doing: "ending sessions") { token throws(ServiceError) -> Void in
                try await environment.retries(3, noting: &isUncertain) { () async throws(ServiceError) -> Void in
                    try await connection.send("DELETE", path, accessToken: token)
                }
            }
        } catch let error where error.code == .sessionEnded && isUncertain {
            throw AccountClientError(
                .sessionEnded, "the answer to the end of sessions was lost, and the session has ended",
                hint: "Let the person sign in again, and look at their sessions.", cause: error.cause)
        }
        return now.epoch
    }
}
