import AppleIDEmulator
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TaskSignals
import Testing

/// The way of the emulator's notifications to the service under test.
final class NotificationPost: Sendable {
    private struct State {
        var client: TestClient?
        var bodies: [String] = []
        var statuses: [Int] = []
    }

    private let state = Lock(State())

    /// As Apple sent them, every attempt.
    var bodies: [String] { state.withLock { $0.bodies } }
    /// As the service answered them.
    var statuses: [Int] { state.withLock { $0.statuses } }

    /// - Parameter client: nil when nothing is to be delivered any more.
    func lead(to client: TestClient?) {
        state.withLock { $0.client = client }
    }

    func deliver(_ request: NotificationRequest) async throws -> Int {
        struct NobodyThere: Error {}
        let client = state.withLock { state in
            state.bodies.append(request.body)
            return state.client
        }
        guard let client else { throw NobodyThere() }
        let answer = try await client.post("/apple/notifications", json: request.body)
        state.withLock { $0.statuses.append(answer.status.code) }
        return answer.status.code
    }
}

extension TestApple {
    /// One of the emulator's control calls.
    @discardableResult
    func control(_ path: String, _ members: [String: any Sendable] = [:]) async throws -> [String: Any] {
        var head = HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1:4010", path: path)
        head.headerFields[.contentType] = "application/json"
        let (response, body) = await emulator.respond(
            to: head, body: Array(try JSONSerialization.data(withJSONObject: members)))
        try #require((200..<300).contains(response.status.code), "\(String(decoding: body, as: UTF8.self))")
        return body.isEmpty ? [:] : try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
    }

    /// Delivers what is due to the service.
    /// - Returns: how it was answered, from the first delivery of the test on.
    @discardableResult
    func deliver(to client: TestClient) async throws -> [Int] {
        post.lead(to: client)
        // The service holds what asks the emulator, and the emulator what leads to the service.
        defer { post.lead(to: nil) }
        try await emulator.deliverNotifications()
        return post.statuses
    }

    func stopUsing(_ app: String = "com.example.juice") async throws {
        try await control("/emulator/grants/stop-using", ["person": "johnny", "clientID": app])
    }

    func forward(_ isOn: Bool) async throws {
        try await control(
            "/emulator/grants/forwarding",
            ["person": "johnny", "clientID": "com.example.juice", "forwarding": isOn])
    }
}

extension TestApple {
    /// Returns the emulator's subject of a person for an app; nil if they don't use it.
    func subject(of person: String, for app: ClientID) async throws -> String? {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:4010", path: "/emulator/grants")
        let (_, body) = await emulator.respond(to: head, body: [])
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
        let grants = try #require(answer["grants"] as? [[String: Any]])
        return grants.first { $0["person"] as? String == person && $0["app"] as? String == app.rawValue }?["subject"]
            as? String
    }
}
