import AccountAPI
import AccountClient
import Foundation
import OpenAuthenticationServices
import TaskSignals
import Testing

/// The person signs in with a provider by a code for a browser on any device, which works where no browser is.
@Suite("A sign-in with another provider in a browser", .timeLimit(.minutes(2)))
struct ProviderBrowserTests {
    private let device = TestDevice()

    private func client() throws -> AccountClient {
        let backend = try #require(URL(string: TestDevice.backend))
        var configuration = AuthenticationServicesConfiguration(backend: backend, app: "com.example.app")
        configuration.transport = device.service.transport
        configuration.flow = .device
        configuration.showDeviceCode = { _ in }
        return AccountClient(
            configuration: configuration, storage: device.storage, environment: device.time.environment,
            time: FlowTime(
                now: { Date() },
                sleep: { pause in
                    // The pauses between questions pass at once. The time limit of the sign-in never does.
                    guard pause > .seconds(60) else { return await Task.yield() }
                    try await OneShot<Void>().value()
                }))
    }

    /// The account service leads to a provider that answers each authorization with a token for its nonce.
    private func answer() {
        let service = device.service
        service.on("POST /v1/authorizations") { _ in
            try .json(
                200,
                DeviceAuthorizationAnswer(
                    deviceCode: "device-1", userCode: "BCDF-GHJK", verificationURL: "\(TestDevice.backend)/device",
                    interval: 5, expiresAt: APITime(secondsSince1970: Int64(Date.now.timeIntervalSince1970) + 600)))
        }
        service.on("POST /v1/authorizations/redeem") { _ in
            let begun = try #require(service.requests("POST /v1/authorizations").last).json
            let nonce = try #require(begun["nonce"] as? String)
            let claims = Data(#"{"sub":"person-1","nonce":"\#(nonce)"}"#.utf8).base64EncodedString()
                .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            return try .json(
                200,
                AuthorizationCredentialBody(
                    user: "person-1", identityToken: "e30.\(claims).AA", authorizationCode: nil, email: nil,
                    fullName: nil, scope: "name email", state: begun["state"] as? String))
        }
    }

    @Test("presents the token to the provider's own call, with the nonce that only the app knows")
    func signsIn() async throws {
        answer()
        device.service.on("POST /v1/sign-in/google") { [service = device.service] _ in try service.signIn() }
        let client = try client()
        #expect(try await client.signIn(with: .google).id == "acc_1")
        let begun = try #require(device.service.requests("POST /v1/authorizations").first).json
        let sent = try #require(device.service.requests("POST /v1/sign-in/google").first).json
        #expect(begun["provider"] as? String == "google")
        #expect(begun["nonce"] as? String != sent["nonce"] as? String)
        #expect((begun["nonce"] as? String)?.count == 64)
        #expect((sent["identityToken"] as? String)?.hasPrefix("e30.") == true)
    }

    @Test("proves and links with a challenge, which the provider is given as it is")
    func linksAndProves() async throws {
        answer()
        let service = device.service
        service.on("POST /v1/sign-in/google") { _ in try service.signIn() }
        service.on("POST /v1/challenges") { _ in
            try .json(
                200, ChallengeAnswer(nonce: "c1.challenge", expiresAt: APITime(secondsSince1970: 1_700_000_600)))
        }
        service.on("POST /v1/reauthenticate/google") { _ in
            try .json(
                200,
                ReauthenticationAnswer(
                    authenticatedAt: APITime(secondsSince1970: 1_700_000_100), accessToken: "access-fresh",
                    expiresIn: 600))
        }
        service.list(.email(current: true))
        service.on("POST /v1/link/microsoft") { _ in
            try .json(200, LinkListAnswer(links: [.email(current: true)]))
        }
        let client = try client()
        try await client.signIn(with: .google)
        try await client.reauthenticate(with: .google)
        #expect(try await client.link(with: .microsoft).count == 1)
        for (call, count) in [("POST /v1/reauthenticate/google", 1), ("POST /v1/link/microsoft", 1)] {
            let sent = service.requests(call)
            #expect(sent.count == count && sent[0].json["nonce"] as? String == "c1.challenge")
        }
        #expect(service.requests("POST /v1/authorizations").last?.json["nonce"] as? String == "c1.challenge")
    }

    @Test("says that the account service doesn't know the provider")
    func unknown() async throws {
        device.service.on("POST /v1/authorizations", .refusal(404, .unknownProvider))
        let error = await failure { try await client().signIn(with: .google) }
        #expect(error?.code == .refused(.unknownProvider) && error?.hint != nil)
    }
}
