import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes

@testable import SiwaDoctor

/// A configuration, an emulator, and a mistake in either.
struct Examined {
    var settings = DoctorSettings()
    var portal: Portal
    var behaviour = Behaviour()
    /// How far the machine's clock is ahead of Apple's, in seconds.
    var clockAhead: TimeInterval = 0
    /// Asked about mail domains; without folders there is no program to ask with.
    var lookup = TextLookup(path: "")
    /// The page in the place of the one where a sign-in begins.
    var page: String?
    /// The answer in the place of the token endpoint's.
    var tokenEndpoint: (@Sendable (_ form: String) -> AppleResponse)?

    static let service: ClientID = "com.example.juice.web"
    static let app: ClientID = "com.example.juice"

    /// Everything right.
    init() throws {
        portal = Portal.seeded(
            configuration: EmulatorConfiguration(returnURLs: ["https://juice.example.com/sign-in/apple/callback"]))
        let key = portal.teams[0].apps[0].keys[0]
        settings.returnURL = "https://juice.example.com/sign-in/apple/callback"
        settings.server = try .emulator(at: "http://127.0.0.1:4010")
        settings.team = portal.teams[0].id
        settings.keyID = key.id
        settings.pem = key.privateKey
        settings.bundleIDs = [Self.app]
        settings.servicesIDs = [Self.service]
    }

    /// Returns the findings, with the emulator's words for people or with Apple's error word alone.
    func findings(bare: Bool = true, with failure: EmulatorTransport.Failure? = nil) async throws -> [Finding] {
        let clock = TestClock()
        var configuration = EmulatorConfiguration()
        configuration.behaviour = behaviour
        if bare { configuration.behaviour.errorsOmitDescription = true }
        let emulator = try await Emulator.forTests(
            clock: clock, configuration: configuration, portal: portal)
        let transport = EmulatorTransport(to: emulator)
        transport.fail("/auth/keys", with: failure)
        var environment = clock.appleIDEnvironment
        let ahead = clockAhead
        environment.now = { clock.now.addingTimeInterval(ahead) }
        return await Doctor(
            settings: settings,
            transport: DatedTransport(transport: transport, clock: clock, page: page, tokenEndpoint: tokenEndpoint),
            lookup: lookup, environment: environment
        ).examine()
    }
}

/// Says in each answer what time it is, as a server behind a socket does.
private struct DatedTransport: AppleTransport {
    let transport: EmulatorTransport
    let clock: TestClock
    let page: String?
    let tokenEndpoint: (@Sendable (_ form: String) -> AppleResponse)?

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        var response = try await transport.send(request)
        if let page, request.url.contains("/auth/authorize?") {
            response = AppleResponse(status: 200, headerFields: [.contentType: "text/html"], body: Array(page.utf8))
        }
        if let tokenEndpoint, request.url.hasSuffix("/auth/token") {
            response = tokenEndpoint(String(decoding: request.body, as: UTF8.self))
        }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        response.head.headerFields[.date] = formatter.string(from: clock.now)
        return response
    }
}

extension [Finding] {
    var codes: [String] { filter { $0.outcome == .failed }.compactMap(\.code) }

    /// Those that Apple's refusal leaves, in order.
    func causes(of client: ClientID) -> [String] {
        first { $0.code == "invalid_client" && $0.explanation.contains("`\(client)`") }?.hints.compactMap(\.cause) ?? []
    }
}
