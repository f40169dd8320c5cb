import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("Credential states on a device")
struct CredentialStateTests {
    @Test("authorized for every app of the group, and notFound for another app or a person who never signed in")
    func authorized() async throws {
        let emulator = try await TestEmulator()
        let user = try await emulator.credential()["user"]
        #expect(try await emulator.credentialState(user) == "authorized")
        #expect(try await emulator.credentialState(user, ["clientID": "com.example.juice.mini"]) == "authorized")
        #expect(try await emulator.credentialState(user, ["clientID": "com.example.soda"]) == "notFound")
        #expect(try await emulator.credentialState("") == "notFound")
        #expect(try await emulator.credentialState("000000.0.0000") == "notFound")
    }

    @Test("notFound for another account on the device, or for none")
    func otherAccount() async throws {
        let emulator = try await TestEmulator()
        let user = try await emulator.credential()["user"]
        #expect(try await emulator.credentialState(user, ["person": "johnny"]) == "authorized")
        #expect(try await emulator.credentialState(user, ["person": "mono"]) == "notFound")
        #expect(try await emulator.credentialState(user, ["noAccount": true]) == "notFound")
    }

    @Test("revoked once the person stops using the app, also in the state file, and authorized again afterwards")
    func stopUsing() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "siwa-\(UUID().uuidString).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let emulator = try await TestEmulator(configure: { $0.stateFile = path })
        let user = try await emulator.credential()["user"]
        let stopped = try await emulator.call(
            "/emulator/grants/stop-using", ["person": "johnny", "clientID": "com.example.juice"])
        #expect(stopped.status == 204)
        #expect(try await emulator.credentialState(user) == "revoked")
        let restarted = try await TestEmulator(portal: nil, configure: { $0.stateFile = path })
        #expect(try await restarted.credentialState(user) == "revoked")
        #expect(try await restarted.credential()["fullName"] != nil)
        #expect(try await restarted.credentialState(user) == "authorized")
    }

    @Test("revoked once the app's server revokes a token")
    func revocation() async throws {
        let emulator = try await TestEmulator()
        let user = try await emulator.credential()["user"]
        let refreshToken = try #require(try await emulator.tokens()["refresh_token"] as? String)
        #expect(try await emulator.revoke(refreshToken).status == 200)
        #expect(try await emulator.credentialState(user) == "revoked")
    }

    @Test("not found once the person has deleted the Apple Account, or the emulator has forgotten")
    func deletion() async throws {
        let emulator = try await TestEmulator()
        let user = try await emulator.credential()["user"]
        let other = try await emulator.credential(["person": "mono"])["user"]
        #expect(try await emulator.call("/emulator/people/delete", ["person": "johnny"]).status == 204)
        #expect(try await emulator.credentialState(user) == "notFound")
        #expect(try await emulator.credentialState(other) == "authorized")
        #expect(try await emulator.call("/emulator/reset", [:]).status == 200)
        #expect(try await emulator.credentialState(other) == "notFound")
    }

    @Test("transferred once the app has gone to another team, and an authorization for the old identifier has the new")
    func transfer() async throws {
        let emulator = try await TestEmulator()
        let soda: [String: any Sendable] = ["clientID": "com.example.soda"]
        let old = try #require(try await emulator.credential(soda)["user"])
        let moved = try await emulator.call(
            "/emulator/transfers", ["clientID": "com.example.soda", "team": "CIDERTEAM2"])
        #expect(moved.status == 200, "\(moved.text)")
        #expect(try await emulator.credentialState(old, soda) == "transferred")

        let credential = try await emulator.credential(["clientID": "com.example.soda", "user": old])
        let new = try #require(credential["user"])
        #expect(new as? String != old as? String)
        #expect(try await emulator.credentialState(new, soda) == "authorized")
        let token = try await ReceivedToken(credential["identityToken"], from: emulator)
        #expect(token["transfer_sub"] != nil)

        _ = try await emulator.call(
            "/emulator/grants/stop-using", ["person": "johnny", "clientID": "com.example.soda"])
        #expect(try await emulator.credentialState(old, soda) == "revoked")
        #expect(try await emulator.credentialState(new, soda) == "revoked")
        _ = try await emulator.credential(soda)
        #expect(try await emulator.credentialState(new, soda) == "authorized")
    }

    @Test(
        "a malformed call is refused",
        arguments: [
            (["clientID": "com.example.juice.web"], "invalid_client"), (["user": NSNull()], "invalid_request"),
            (["person": "johnny", "noAccount": true], "invalid_request"), (["bundle": "x"], "invalid_request"),
        ] as [([String: any Sendable], String)])
    func badCalls(changes: [String: any Sendable], error: String) async throws {
        var members: [String: any Sendable] = ["clientID": "com.example.juice", "user": "x"]
        members.merge(changes) { _, new in new }
        let answer = try await TestEmulator().call("/emulator/device/credential-state", members)
        #expect(answer.status == 400)
        #expect(answer.error == error, "\(answer.text)")
    }
}
