import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import TaskSignals
import Testing

@testable import AppleIDEmulator

@Suite("Notifications over the network", .timeLimit(.minutes(1)))
struct NotificationNetworkTests {
    /// Requests as they arrive.
    private struct Arrival: Sendable {
        let path: String
        let contentType: String?
        let body: String
    }

    private let arrivals: AsyncStream<Arrival>
    private let arrived: AsyncStream<Arrival>.Continuation

    init() {
        (arrivals, arrived) = AsyncStream.makeStream()
    }

    private func server(_ status: HTTPResponse.Status, location: String? = nil) -> some ApplicationProtocol {
        let router = Router()
        router.post("**") { [arrived] request, _ -> Response in
            let body = try await request.body.collect(upTo: 65_536)
            arrived.yield(
                Arrival(
                    path: request.uri.path, contentType: request.headers[.contentType], body: String(buffer: body)))
            return Response(status: status, headers: location.map { [.location: $0] } ?? [:])
        }
        return Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    private func emulator(sendingTo url: String) async throws -> TestEmulator {
        var portal = TestPortal.portal
        portal.teams[0].apps[0].notificationURL = url
        return try await TestEmulator(portal: portal)
    }

    @Test("a running server delivers by itself: JSON with the one member payload")
    func service() async throws {
        try await server(.ok).test(.live) { app in
            let port = try #require(app.port)
            let emulator = try await emulator(sendingTo: "http://127.0.0.1:\(port)/apple")
            try await emulator.emulator.application(port: 0).test(.live) { _ in
                try await emulator.notify()
                let arrival = try #require(await arrivals.first { _ in true })
                #expect(arrival.path == "/apple")
                #expect(arrival.contentType == "application/json")
                let payload = try #require(try await emulator.notifications.first?["payload"] as? String)
                #expect(arrival.body == #"{"payload":"\#(payload)"}"#)
            }
        }
    }

    @Test("a redirect counts as a refusal and isn't followed")
    func redirect() async throws {
        try await server(.temporaryRedirect, location: "/elsewhere").test(.live) { app in
            let port = try #require(app.port)
            let emulator = try await emulator(sendingTo: "http://127.0.0.1:\(port)/apple")
            try await emulator.notify()
            try await emulator.emulator.deliverNotifications()
            arrived.finish()
            var paths: [String] = []
            for await arrival in arrivals { paths.append(arrival.path) }
            #expect(paths == ["/apple"])
            let attempts = try #require(try await emulator.notifications.first?["attempts"] as? [[String: Int]])
            #expect(attempts.map { $0["status"] } == [307])
        }
    }

    @Test("an attempt without an answer ends at the time limit")
    func slow() async throws {
        let router = Router()
        router.post("**") { [arrivals] _, _ -> Response in
            // Nothing is ever sent, so this lasts until the connection is closed on the other side.
            for await _ in arrivals {}
            return Response(status: .ok)
        }
        try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        ).test(.live) { app in
            let port = try #require(app.port)
            let request = NotificationRequest(url: "http://127.0.0.1:\(port)/apple", body: "{}")
            await #expect(throws: (any Error).self) {
                try await HTTPDelivery.run(timeLimit: .milliseconds(50)) { delivery in try await delivery.send(request)
                }
            }
            arrived.finish()
        }
    }

    @Test("a closed port is an attempt without an answer")
    func closed() async throws {
        let port = try await server(.ok).test(.live) { app in try #require(app.port) }
        let emulator = try await emulator(sendingTo: "http://127.0.0.1:\(port)/")
        try await emulator.notify()
        try await emulator.emulator.deliverNotifications()
        let shown = try #require(try await emulator.notifications.first)
        let attempt = try #require((shown["attempts"] as? [[String: any Sendable]])?.first)
        #expect(attempt["status"] == nil)
        #expect((attempt["error"] as? String)?.isEmpty == false)
        #expect(shown["state"] as? String == "queued")
    }
}
