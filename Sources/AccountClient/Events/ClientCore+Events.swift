import Foundation

import enum OpenAuthenticationServices.ServiceError

extension ClientCore {
    struct OpenedEvents: Sendable {
        var body: AsyncThrowingStream<Data, any Error>
        /// The session that is followed.
        var era: Int
        var isLast: Bool
    }

    /// - Parameter era: of the session that was followed before; nil at first.
    /// - Returns: nil when another session has taken its place, or there is nothing more to tell of it.
    func openEvents(after id: AccountEvent.ID?, in era: Int?) async throws -> OpenedEvents? {
        let record = try await loaded()
        if record.session != nil, era == nil || era == self.era {
            let era = self.era
            let body = try await call(doing: "following the events") { token throws(ServiceError) in
                try await self.connection.events(
                    "/v1/account/events", accessToken: token, lastEventID: id.map { String($0) })
            }
            return try opened(body, in: era, isLast: false)
        }
        // Before anything was followed, or because the session has ended since.
        guard let ended = record.ended, record.session == nil, self.era - (era ?? self.era) <= 1 else {
            if era == nil { throw nobody }
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
        return try opened(body, in: self.era, isLast: true)
    }

    private func opened(
        _ body: AsyncThrowingStream<Data, any Error>?, in era: Int, isLast: Bool
    ) throws -> OpenedEvents {
        guard let body else {
            throw AccountClientError(
                .notConfigured, "events cannot be followed: the transport has no streams",
                hint: "Give the ServiceTransport its `stream`.")
        }
        return OpenedEvents(body: body, era: era, isLast: isLast)
    }
}
