import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import TaskSignals
import Testing

/// The library against the emulator: a relying party of one team, and what only a test can do to Apple.
struct AppleSide {
    let clock = TestClock()
    let emulator: Emulator
    let transport: EmulatorTransport
    let client: AppleIDClient
    private let bodies: Deliveries

    final class Deliveries: Sendable {
        private let received = Lock<[[UInt8]]>([])

        var all: [[UInt8]] { received.withLock { $0 } }

        func append(_ body: [UInt8]) {
            received.withLock { $0.append(body) }
        }
    }

    init(
        behaviour: Behaviour = Behaviour(), portal: Portal? = nil, retries: RetryPolicy = .standard
    ) async throws {
        let bodies = Deliveries()
        self.bodies = bodies
        var configuration = EmulatorConfiguration(notificationURL: "https://juice.example.com/notifications")
        configuration.behaviour = behaviour
        emulator = try await Emulator.forTests(
            clock: clock, configuration: configuration, portal: portal,
            deliver: { request in
                bodies.append(Array(request.body.utf8))
                return 200
            })
        transport = EmulatorTransport(to: emulator)
        client = try AppleIDClient(emulator: emulator, transport: transport, clock: clock)
    }

    /// A client for another team of the same emulator, as its portal is now.
    func client(of team: TeamID) throws -> AppleIDClient {
        try AppleIDClient(emulator: emulator, team: team, transport: transport, clock: clock)
    }

    /// A person's tokens after a sign-in on a device.
    func signIn(
        person: String = "johnny", client id: ClientID = "com.example.juice", hidesEmail: Bool = true
    ) async throws -> TokenGrant {
        let authorization = try await emulator.authorize(
            person: person, client: id, hidesEmail: hidesEmail, native: true)
        return try await client.exchange(code: try #require(authorization.code), client: id, nonce: .noneSent)
    }

    /// Every notification so far, as the body of Apple's request.
    func notifications() async throws -> [[UInt8]] {
        try await emulator.deliverNotifications()
        return bodies.all
    }

    /// One of the emulator's control calls.
    @discardableResult
    func control(_ path: String, _ members: [String: any Sendable]) async throws -> [UInt8] {
        var request = HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1:4010", path: path)
        request.headerFields[.contentType] = "application/json"
        let (response, body) = await emulator.respond(
            to: request, body: Array(try JSONSerialization.data(withJSONObject: members)))
        #expect((200..<300).contains(response.status.code), "\(String(decoding: body, as: UTF8.self))")
        return body
    }
}

/// The error with which something fails; nil when it does not.
func appleFailure(_ body: () async throws -> Void) async throws -> AppleIDError? {
    do {
        try await body()
        return nil
    } catch let error as AppleIDError {
        return error
    }
}
