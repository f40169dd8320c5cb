import AccountAPI
import Foundation

import enum OpenAuthenticationServices.ServiceError

/// Whose events somebody follows: what takes its place, here or in another process, is not followed on.
struct FollowedSession: Hashable, Sendable {
    let era: Int
    let account: String

    init(_ era: Int, _ account: String) {
        self.era = era
        self.account = account
    }
}

extension ClientCore {
    struct OpenedEvents: Sendable {
        var body: AsyncThrowingStream<Data, any Error>
        var session: FollowedSession
        var isLast: Bool
    }

    /// - Parameter followed: the session that was followed before; nil at first.
    /// - Returns: nil when another session has taken its place, or there is nothing more to tell of it.
    func openEvents(after id: AccountEvent.ID?, of followed: FollowedSession?) async throws -> OpenedEvents? {
        let record = try await loaded()
        if let account = record.session?.account.id, followed == nil || followed == FollowedSession(era, account) {
            let session = FollowedSession(era, account)
            let body = try await call(doing: "following the events") { token throws(ServiceError) in
                try await self.connection.events(
                    "/v1/account/events", accessToken: token, lastEventID: id.map { String($0) })
            }
            return try opened(body, of: session, isLast: false)
        }
        // Before anything was followed, or because the session has ended since.
        guard let ended = record.ended, record.session == nil, era - (followed?.era ?? era) <= 1 else {
            if followed == nil { throw nobody }
            return nil
        }
        let body: AsyncThrowingStream<Data, any Error>?
        do throws(ServiceError) {
            body = try await connection.events(
                "/v1/account/events", accessToken: ended.refreshToken, lastEventID: id.map { String($0) })
        } catch {
            guard error.isAboutAccessToken else { throw AccountClientError(error, doing: "following the events") }
            return nil
        }
        return try opened(body, of: followed ?? FollowedSession(era, ""), isLast: true)
    }

    private func opened(
        _ body: AsyncThrowingStream<Data, any Error>?, of session: FollowedSession, isLast: Bool
    ) throws -> OpenedEvents {
        guard let body else {
            throw AccountClientError(
                .notConfigured, "events cannot be followed: the transport has no streams",
                hint: "Give the ServiceTransport its `stream`.")
        }
        return OpenedEvents(body: body, session: session, isLast: isLast)
    }
}
