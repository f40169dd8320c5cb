import AppleID
import AppleIDEmulator
import CryptoExtras
import Foundation
import HTTPTypes
import Logging
import TaskSignals
import Testing

/// The emulator in the place of Apple, without a network, and with a switch.
final class TestApple: AppleTransport {
    let emulator: Emulator
    /// Carries Apple's notifications.
    let post = NotificationPost()
    private let currentOutage = Lock(Outage.none)

    /// The part of Apple that cannot be reached.
    enum Outage {
        case none
        case tokens
        case all
    }

    /// One key for all tests: making one takes half a second.
    private static let signingKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation }

    init(clock: TestClock, publicURL: String) async throws {
        var configuration = EmulatorConfiguration(
            returnURLs: [publicURL + "/sign-in/apple/callback"],
            notificationURL: "https://juice.example.com/apple/notifications")
        configuration.signingKey = try Self.signingKey.get()
        let post = self.post
        emulator = try await Emulator(
            configuration: configuration,
            environment: EmulatorEnvironment(
                now: { clock.now }, randomBytes: EmulatorEnvironment.live.randomBytes,
                deliver: { request in try await post.deliver(request) }),
            logger: Logger(label: "emulator") { _ in SwiftLogNoOpLogHandler() })
    }

    var outage: Outage {
        get { currentOutage.withLock { $0 } }
        set { currentOutage.withLock { $0 = newValue } }
    }

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        struct NoConnection: Error {}
        switch outage {
        case .none: break
        case .tokens where !request.url.hasSuffix("/auth/token"): break
        case .tokens, .all: throw NoConnection()
        }
        let (response, body) = await emulator.respond(to: request.head, body: request.body)
        return AppleResponse(response, body: body)
    }

    /// The sheet without a browser: what Apple would hand back.
    func authorize(_ order: [String: any Sendable]) async throws -> [String: String] {
        let request = AppleRequest(
            method: .post, url: emulator.portal.baseURL + "/emulator/authorizations",
            headerFields: [.contentType: "application/json"])
        let body = try JSONSerialization.data(withJSONObject: order)
        let (response, answer) = await emulator.respond(to: request.head, body: Array(body))
        try #require(response.status == .ok, "\(String(decoding: answer, as: UTF8.self))")
        return try JSONDecoder().decode([String: String].self, from: Data(answer))
    }
}
