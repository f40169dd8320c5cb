import Foundation
import TaskSignals
import Testing

@testable import AppleIDEmulator

/// The server that notifications go to: answers as it is told, and keeps what came.
final class TestApp: Sendable {
    struct Lost: Error {}

    static let url = "https://juice.example.com/apple/notifications"

    private struct State {
        /// Nil: no answer.
        var answers: [Int?]
        var received: [NotificationRequest] = []
    }

    private let state: Lock<State>

    /// - Parameter answers: one after the other, and 200 when they are used up.
    init(_ answers: [Int?] = []) {
        state = Lock(State(answers: answers))
    }

    var received: [NotificationRequest] { state.withLock { $0.received } }

    /// The tokens that came.
    var payloads: [String] {
        get throws {
            try received.map { request in
                let body = try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: String]
                try #require(body?.count == 1)
                return try #require(body?["payload"])
            }
        }
    }

    func answer(_ request: NotificationRequest) throws -> Int {
        let answer = state.withLock { state -> Int? in
            state.received.append(request)
            return state.answers.isEmpty ? 200 : state.answers.removeFirst()
        }
        guard let answer else { throw Lost() }
        return answer
    }

    /// An emulator that sends Juice's notifications here.
    func emulator(configure: (inout EmulatorConfiguration) -> Void = { _ in }) async throws -> TestEmulator {
        var portal = TestPortal.portal
        portal.teams[0].apps[0].notificationURL = Self.url
        return try await TestEmulator(portal: portal, configure: configure, deliver: { try self.answer($0) })
    }
}

extension TestEmulator {
    /// Johnny's consent for Juice is gone, unless told otherwise; answers the notification's id.
    @discardableResult
    func notify(_ changes: [String: any Sendable] = [:]) async throws -> String {
        var members: [String: any Sendable] = [
            "type": "consent-revoked", "person": "johnny", "clientID": "com.example.juice.web",
        ]
        members.merge(changes) { _, new in new }
        let answer = try await call("/emulator/notifications", members)
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(try answer.json["id"] as? String)
    }

    var notifications: [[String: any Sendable]] {
        get async throws {
            try #require(try await get("/emulator/notifications").json["notifications"] as? [[String: any Sendable]])
        }
    }

    /// The states of all notifications, oldest first.
    var notificationStates: [String] {
        get async throws { try await notifications.map { $0["state"] as? String ?? "" } }
    }
}
