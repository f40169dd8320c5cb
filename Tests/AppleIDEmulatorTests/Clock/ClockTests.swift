import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("The emulator's clock")
struct ClockTests {
    private static let start = Int(TestEmulator.start)

    @Test("follows the given clock until a call sets it")
    func given() async throws {
        let emulator = try await TestEmulator()
        emulator.clock.advance(7)
        let shown = try await emulator.get("/emulator/clock").json
        #expect(shown["now"] as? Int == Self.start + 7)
        #expect(shown["frozen"] as? Bool == false)
    }

    @Test("a code expires when the clock is moved past its life, and is valid again when it is moved back")
    func codes() async throws {
        let emulator = try await TestEmulator()
        let code = try #require(try await emulator.authorize()["code"] as? String)
        let secret = try emulator.secret { $0.claims["exp"] = TestEmulator.start + 900 }
        #expect(try await emulator.call("/emulator/clock", ["advance": 301]).status == 200)
        #expect(try await emulator.redeem(code, ["client_secret": secret]).error == "invalid_grant")
        #expect(try await emulator.call("/emulator/clock", ["advance": -1]).status == 200)
        #expect(try await emulator.redeem(code, ["client_secret": secret]).status == 200)
    }

    @Test("continues from the time that was set, stops while it is frozen, and returns to the given clock at a reset")
    func steps() async throws {
        let emulator = try await TestEmulator()
        func now(_ members: [String: any Sendable]) async throws -> Int? {
            try await emulator.call("/emulator/clock", members).json["now"] as? Int
        }
        #expect(try await now(["now": 1_800_000_000]) == 1_800_000_000)
        emulator.clock.advance(10)
        #expect(try await now(["frozen": true]) == 1_800_000_010)
        emulator.clock.advance(10)
        #expect(try await now(["advance": 5]) == 1_800_000_015, "it still stands")
        emulator.clock.advance(10)
        #expect(try await now(["frozen": false]) == 1_800_000_015)
        emulator.clock.advance(10)
        #expect(try await now(["advance": 0]) == 1_800_000_025)
        #expect(try await now(["now": 0, "frozen": true]) == 0)
        #expect(try await now(["advance": -1]) == 0, "no time before 1970")
        #expect(try await now(["advance": 253_402_300_799]) == 253_402_300_799)
        #expect(try await now(["advance": 1]) == 253_402_300_799, "nor after 9999")
        #expect(try await now(["reset": true]) == Self.start + 40)
        #expect(try await emulator.get("/emulator/clock").json["frozen"] as? Bool == false)
    }

    @Test(
        "a call without a change, or with two, is refused",
        arguments: [
            "{}", #"{"now":1,"advance":1}"#, #"{"now":"x"}"#, #"{"now":1.5}"#, #"{"advance":253402300800}"#,
            #"{"now":-9223372036854775808}"#, #"{"reset":false}"#, #"{"frozen":1}"#, #"{"stop":true}"#,
        ])
    func refused(_ body: String) async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.send(
            .post, "/emulator/clock", headers: ["content-type": "application/json"], body: Array(body.utf8))
        #expect(answer.error == "invalid_request", "\(answer.text)")
        #expect(try await emulator.get("/emulator/clock").json["now"] as? Int == Self.start)
    }

    @Test("a reset forgets grants, tokens, codes and notifications, and keeps the rest")
    func reset() async throws {
        let emulator = try await TestApp().emulator { $0.behaviour.deletionEvent = .accountDeleted }
        let portal = emulator.emulator.portal
        let keys = try await emulator.get("/auth/keys").text
        let code = try #require(try await emulator.authorize()["code"] as? String)
        let redeemed = try #require(try await emulator.authorize()["code"] as? String)
        let refresh = try #require(try await emulator.redeem(redeemed).json["refresh_token"] as? String)
        try await emulator.notify()
        #expect(try await emulator.call("/emulator/notifications/hold", [:]).status == 200)

        #expect(try await emulator.call("/emulator/reset", [:]).status == 200)
        #expect(try await emulator.redeem(code).error == "invalid_grant")
        let changes: [String: String?] = ["grant_type": "refresh_token", "refresh_token": refresh]
        #expect(try await emulator.redeem("", changes).error == "invalid_grant")
        #expect(try await emulator.notifications.isEmpty)
        #expect(try await emulator.get("/emulator/notifications").json["held"] as? Bool == false)
        #expect(try await emulator.authorize()["user"] != nil, "a first time again")
        #expect(emulator.emulator.portal == portal)
        #expect(try await emulator.get("/auth/keys").text == keys)
        #expect(try await emulator.get("/emulator/quirks").json["quirks"] as? [String] == ["account-deleted"])
    }
}
