import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import Testing

@Suite("The tools for tests")
struct TestToolsTests {
    @Test("a person signs in, and the emulator's answer has every field")
    func authorize() async throws {
        let emulator = try await Emulator.forTests()
        let first = try await emulator.authorize(
            client: "com.example.juice.web", state: "s", nonce: "n", name: ("Jo", ""), hidesEmail: true)
        #expect(first.code != nil)
        #expect(first.identityToken?.split(separator: ".").count == 3)
        #expect(first.state == "s")
        #expect(first.user?.hasPrefix(#"{"name":{"firstName":"Jo","lastName":""},"email":""#) == true)
        let native = try await emulator.authorize(client: "com.example.juice", native: true)
        #expect(native.code != nil)
        #expect(native.user == nil)
        var cancelling = TestAuthorizationRequest(client: "com.example.juice.web")
        cancelling.cancels = true
        let cancelled = try await emulator.authorize(cancelling)
        #expect(cancelled.error == .userCancelledAuthorize)
        #expect(cancelled.fields.map(\.name) == ["error"])
    }

    @Test("a refused control call throws an error with the emulator's code")
    func refused() async throws {
        let emulator = try await Emulator.forTests()
        let error = await #expect(throws: AuthorizationRefused.self) {
            try await emulator.authorize(person: "nobody", client: "com.example.juice.web")
        }
        #expect(error?.code == "unknown_person")
    }

    @Test("the tools send a configured control token by themselves")
    func controlToken() async throws {
        let configuration = EmulatorConfiguration(controlToken: "0123456789abcdef")
        let emulator = try await Emulator.forTests(configuration: configuration)
        #expect(try await emulator.authorize(client: "com.example.juice.web").code != nil)
    }

    @Test("the transport reaches the emulator, counts requests, and fails on demand")
    func transport() async throws {
        let transport = EmulatorTransport(to: try await Emulator.forTests())
        let request = AppleRequest(method: .get, url: "http://127.0.0.1:4010/auth/keys")
        let answer = try await transport.send(request)
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix("{\"keys\":["))
        transport.fail("/auth/keys", with: .status(503))
        #expect(try await transport.send(request).status == 503)
        transport.fail("/auth/keys", with: .unreachable)
        await #expect(throws: EmulatorUnreachable.self) { try await transport.send(request) }
        transport.fail("/auth/keys", with: nil)
        #expect(try await transport.send(request).status == 200)
        #expect(transport.count(of: "/auth/keys") == 4)
        #expect(transport.count(of: "/auth/token") == 0)
    }

    @Test("a client is configured with everything that a team has")
    func client() async throws {
        let emulator = try await Emulator.forTests(portal: TestPortal.portal)
        let transport = EmulatorTransport(to: emulator)
        let client = try AppleIDClient(emulator: emulator, transport: transport, clock: TestClock())
        #expect(
            Set(client.clients.keys) == [
                "com.example.juice", "com.example.juice.web", "com.example.juice.mini", "com.example.soda",
            ])
        #expect(client.clients["com.example.juice.mini"]?.key.id == "KEYJUICE01")
        #expect(client.clients["com.example.juice.web"]?.kind == .service)
        let other = try AppleIDClient(emulator: emulator, team: "CIDERTEAM2", transport: transport, clock: TestClock())
        #expect(other.clients["org.example.cider.web"]?.team == "CIDERTEAM2")
        #expect(throws: NoSuchTeam.self) {
            try AppleIDClient(emulator: emulator, team: "NOTEAM0000", transport: transport, clock: TestClock())
        }
    }

    @Test("the guide's example signs a person in, and loses the connection")
    func guide() async throws {
        // guide
        let clock = TestClock()
        let emulator = try await Emulator.forTests(clock: clock)
        let transport = EmulatorTransport(to: emulator)
        let apple = try AppleIDClient(emulator: emulator, transport: transport, clock: clock)

        let nonce = apple.makeNonce()
        let authorization = try await emulator.authorize(client: "com.example.juice", nonce: nonce, native: true)
        let token = try #require(authorization.identityToken)
        let identity = try await apple.identityVerifier.verify(
            token, expecting: IdentityExpectation(audiences: ["com.example.juice"], nonce: .issued(nonce)))
        let code = try #require(authorization.code)
        let grant = try await apple.exchange(
            code: code, client: "com.example.juice", nonce: .proven(by: identity))
        #expect(grant.identity.subject == identity.subject)
        // end
        // guide
        transport.fail("/auth/token", with: .unreachable)
        clock.advance(by: .seconds(86_400 + 60))
        // end
        let expectation = IdentityExpectation(audiences: ["com.example.juice"], nonce: .issued(nonce))
        await #expect(throws: AppleIDError(.tokenExpired, "")) {
            try await apple.identityVerifier.verify(token, expecting: expectation)
        }
        await #expect(throws: AppleIDError(.exchangeOutcomeUnknown, "")) {
            try await apple.exchange(code: "c", client: "com.example.juice", nonce: .issued(nonce))
        }
    }

    @Test("the guide's example does what people and Apple do")
    func controlGuide() async throws {
        let emulator = try await Emulator.forTests()
        _ = try await emulator.authorize(client: "com.example.juice", native: true)
        // guide
        try await emulator.stopUsing("com.example.juice")
        try await emulator.deleteAppleAccount(person: "zoe")
        try await emulator.rotateKeys()
        try await emulator.order(TestFault("outage", at: "token", times: 1))
        // end
        #expect(try await emulator.grants().isEmpty)
        #expect(!emulator.portal.people.contains { $0.id == "zoe" })
    }

    @Test("both ends share one clock, which a test can move")
    func clock() {
        let clock = TestClock()
        let start = clock.now
        clock.advance(by: .seconds(301.5))
        #expect(clock.now.timeIntervalSince(start) == 301.5)
        #expect(clock.appleIDEnvironment.now() == clock.emulatorEnvironment.now())
        clock.now = start
        #expect(clock.appleIDEnvironment.now() == start)
    }
}
