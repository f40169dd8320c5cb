import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

@testable import JuiceScreens

@Suite("Juice follows the events of an account", .timeLimit(.minutes(1)))
struct FollowEventsTests {
    private static func text(_ id: Int, _ kind: String, _ reason: String) -> String {
        let data = #"{"about":null,"at":"2026-11-21T09:00:00Z","kind":"\#(kind)","reason":\#(reason)}"#
        return "id: \(id)\nevent: \(kind)\ndata: \(data)\n\n"
    }

    @Test("also after a call that an event caused has failed")
    func failedCall() async throws {
        let canned = CannedAccountService()
        let (body, stream) = AsyncThrowingStream<Data, any Error>.makeStream()
        stream.yield(Data(Self.text(3, "email_forwarding_changed", #""disabled""#).utf8))
        stream.yield(Data(Self.text(4, "signed_in", "null").utf8))
        let backend = try #require(URL(string: "https://accounts.example.com"))
        try canned.refuse("GET /v1/account", status: 503, code: "unavailable")
        let client = AccountClient(backend: backend, app: "juice", storage: MemoryStorage()) {
            $0.transport = canned.transport
            $0.transport.stream = { _ in
                ServiceStream(status: 200, headers: ["Content-Type": "text/event-stream"], body: body)
            }
        }
        let credential = AppleCredential(
            user: "001999.f2a7", identityToken: "a token", authorizationCode: "a code", nonce: "a nonce")
        try await client.signIn(with: credential)
        let (events, send) = AsyncStream<Event>.makeStream()
        let work = AccountWork(client: client, events: send)
        let following = Task { await work.followEvents() }
        var remarks: [String] = []
        for await event in events {
            if case .remarked(let text) = event { remarks.append(text) }
            if remarks.count == 2 { break }
        }
        following.cancel()
        #expect(
            remarks == ["Apple forwards no more mail to you.", "Somebody has signed in to this account elsewhere."])
        #expect(canned.requests.contains { $0.path == "/v1/account" })
    }
}
