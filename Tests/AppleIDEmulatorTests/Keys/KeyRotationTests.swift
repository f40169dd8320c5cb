import AppleID
import AppleIDTesting
import AppleIDTypes
import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("The emulator's Apple keys")
struct KeyRotationTests {
    @Test("a new key signs, and the old one stays published until it is retired")
    func rotation() async throws {
        let app = TestApp()
        let emulator = try await app.emulator()
        let first = try await emulator.authorize()["id_token"]
        let old = try #require(try await ReceivedToken(first, from: emulator).header["kid"] as? String)

        let rotated = try await emulator.call("/emulator/keys/rotate", [:])
        let new = try #require(rotated.json["signing"] as? String)
        #expect(new != old)
        #expect(try rotated.json["published"] as? [String] == [new, old])
        let second = try await emulator.authorize()["id_token"]
        #expect(try await ReceivedToken(second, from: emulator).header["kid"] as? String == new)
        #expect(try await ReceivedToken(first, from: emulator).header["kid"] as? String == old)
        try await emulator.notify()
        try await emulator.emulator.deliverNotifications()
        #expect(try await ReceivedToken(app.payloads.first, from: emulator).header["kid"] as? String == new)

        let refused = try await emulator.call("/emulator/keys/retire", ["kid": new])
        #expect(refused.status == 409, "the key that signs")
        #expect(try await emulator.call("/emulator/keys/retire", ["kid": "x"]).error == "unknown_key")
        let retired = try await emulator.call("/emulator/keys/retire", ["kid": old])
        #expect(try retired.json["published"] as? [String] == [new])
        #expect(try await emulator.get("/emulator/keys").text == retired.text)
        let published = try #require(try await emulator.get("/auth/keys").json["keys"] as? [[String: String]])
        #expect(published.map { $0["kid"] } == [new])
    }

    @Test("the library fetches an unknown key once, and verifies with it")
    func library() async throws {
        let emulator = try await TestEmulator()
        let clock = TestClock(emulator.clock.now)
        let transport = EmulatorTransport(to: emulator.emulator)
        let client = try AppleIDClient(emulator: emulator.emulator, transport: transport, clock: clock)
        let expectation = IdentityExpectation(audiences: ["com.example.juice.web"], nonce: .noneSent)
        let first = try #require(try await emulator.authorize()["id_token"] as? String)
        _ = try await client.identityVerifier.verify(first, expecting: expectation)
        #expect(try await emulator.call("/emulator/keys/rotate", [:]).status == 200)
        #expect(try await emulator.call("/emulator/keys/retire", [:]).status == 200)
        emulator.clock.advance(3_000)
        clock.advance(by: .seconds(3_000))
        let second = try #require(try await emulator.authorize()["id_token"] as? String)
        _ = try await client.identityVerifier.verify(second, expecting: expectation)
        #expect(transport.count(of: "/auth/keys") == 2)
    }

    @Test("the set of keys has a limit")
    func bound() throws {
        let key = try SigningKey(id: "K")
        var state = EmulatorState(registry: try Registry(TestPortal.portal))
        for _ in 0..<EmulatorState.maximumKeys { try state.rotate(to: key) }
        let error = #expect(throws: Refusal.self) { try state.rotate(to: key) }
        #expect(error?.code == .conflict)
        try state.retire(nil)
        #expect(state.signingKeys.count == 1)
        #expect(state.revision == EmulatorState.maximumKeys + 1, "a state file takes note")
    }
}
