import AccountAPI
import Foundation

import enum OpenAuthenticationServices.ServiceError

extension ClientCore {
    /// Nobody has more; who claims so goes on for ever.
    private static let mostPages = 40

    func sessions() async throws -> [AccountSession] {
        var sessions: [AccountSession] = []
        var path = "/v1/sessions"
        for _ in 0..<Self.mostPages {
            let page = try await call(doing: "asking for the sessions") { [path] token throws(ServiceError) in
                try await self.connection.send("GET", path, accessToken: token, as: SessionListAnswer.self)
            }
            sessions += page.sessions.map { AccountSession($0, era: era) }
            guard let next = page.next else { break }
            path = "/v1/sessions?before=" + next.inQuery
        }
        return sessions
    }

    func endSession(_ session: AccountSession) async throws {
        let isOwn = session.isCurrent && session.era == era
        do {
            try await call(doing: "ending a session") { token throws(ServiceError) in
                try await self.repeating(attempts: 3) { () async throws(ServiceError) in
                    try await self.connection.send("DELETE", "/v1/sessions/\(session.id.inQuery)", accessToken: token)
                }
            }
        } catch let error as AccountClientError where error.code == .refused(.sessionUnknown) {
            // It has ended meanwhile.
        }
        if isOwn, session.era == era { try await leave() }
    }

    func endSessions(exceptThis: Bool) async throws {
        _ = try await loaded()
        let era = self.era
        try await call(doing: "ending sessions") { token throws(ServiceError) in
            try await self.repeating(attempts: 3) { () async throws(ServiceError) in
                try await self.connection.send(
                    "DELETE", exceptThis ? "/v1/sessions?except=current" : "/v1/sessions", accessToken: token)
            }
        }
        if !exceptThis, era == self.era { try await leave() }
    }

    /// The session has ended at the account service, at the person's wish.
    private func leave() async throws {
        forgetSession(.signedOut)
        endRefresh(.failure(nobody))
        try await save(replacing: true)
    }
}

extension String {
    /// As a value in a query, or a part of a path.
    var inQuery: String {
        addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
    }

    /// RFC 3986 §2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
