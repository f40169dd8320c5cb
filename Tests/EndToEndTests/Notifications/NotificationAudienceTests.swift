import AccountService
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import Testing

@Suite("Notifications of Apple's for a service with several clients")
struct NotificationAudienceTests {
    /// An event that the emulator signs for one client.
    private func body(_ system: TestSystem, _ type: String, for client: String) async throws -> [UInt8] {
        var request = HTTPRequest(
            method: .post, scheme: "http", authority: "127.0.0.1:4010", path: "/emulator/notifications")
        request.headerFields[.contentType] = "application/json"
        let order = ["type": type, "person": "johnny", "clientID": client]
        let (response, answer) = await system.emulator.respond(
            to: request, body: Array(try JSONSerialization.data(withJSONObject: order)))
        try #require(response.status == .ok)
        let members = try #require(try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any])
        let payload = try #require(members["payload"] as? String)
        return Array(try JSONEncoder().encode(["payload": payload]))
    }

    private func session(_ system: TestSystem, _ client: ClientID) async throws -> SessionID {
        let done = try await system.domain.signIn.native(system.device(client: client))
        return try await system.domain.sessions.authenticate(accessToken: done.tokens.accessToken).session.id
    }

    @Test(
        "Gap 6: one for any client of a team ends the sessions of that team's identity, and no other team's",
        arguments: ["com.example.juice", "com.example.cider", "com.example.juice.web"], Engine.allCases)
    func everyClient(audience: String, on engine: Engine) async throws {
        let system = try await TestSystem(engine, portal: .twoTeams)
        let sessions = try await [session(system, "com.example.juice"), session(system, "com.example.cider")]
        let other = try await session(system, "com.other.app")
        let receipt = try await system.domain.notifications.receive(body(system, "consent-revoked", for: audience))
        #expect(receipt.outcome == .applied)
        for session in sessions {
            #expect(try await system.store.session(session)?.ended?.reason == .appleConsentRevoked)
        }
        #expect(try await system.store.session(other)?.ended == nil)
    }

    @Test(
        "Gap 3: it is applied while nothing of Apple but its known keys can be reached: the local effect comes first",
        arguments: Engine.allCases)
    func outage(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await session(system, TestSystem.juice)
        for path in ["/auth/token", "/auth/revoke", "/auth/keys"] { system.apple.fail(path, with: .unreachable) }
        try await system.domain.notifications.receive(body(system, "consent-revoked", for: TestSystem.juice.rawValue))
        #expect(try await system.store.session(session)?.ended?.reason == .appleConsentRevoked)
    }

    @Test("Two servers that receive the same one at once apply it once", arguments: Engine.allCases)
    func twoServers(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let other = try await TestSystem(store: system.store, sharing: system)
        let session = try await session(system, TestSystem.juice)
        let body = try await body(system, "consent-revoked", for: TestSystem.juice.rawValue)
        async let one = system.domain.notifications.receive(body)
        async let two = other.domain.notifications.receive(body)
        let receipts = try await [one, two]
        #expect(receipts.count { $0.isRepeat } == 1)
        #expect(receipts.allSatisfy { $0.outcome == .applied })
        #expect(try await system.store.session(session)?.ended != nil)
    }
}
