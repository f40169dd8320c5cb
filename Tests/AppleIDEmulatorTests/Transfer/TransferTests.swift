import AppleIDTypes
import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("Transfers in the portal")
struct TransferTests {
    @Test("the app moves with its services, under a new key, and is listed")
    func moves() async throws {
        var portal = TestPortal.portal
        portal.teams[0].apps.removeAll { $0.primary != nil }
        let emulator = try await TestEmulator(portal: portal)
        let order = ["clientID": "com.example.juice", "team": "CIDERTEAM2"]
        let answer = try await emulator.call("/emulator/transfers", order).json
        #expect(answer["from"] as? String == "JUICETEAM1")
        #expect(answer["openUntil"] as? Int == Int(TestEmulator.start) + 60 * 86_400)
        let list = try #require(
            try await emulator.get("/emulator/transfers").json["transfers"] as? [[String: any Sendable]])
        #expect(list.map { $0["app"] as? String } == ["com.example.juice"])
        let teams = emulator.emulator.portal.teams
        #expect(teams[0].apps.map(\.id) == ["com.example.soda"])
        #expect(teams[1].apps.map(\.id) == ["org.example.cider", "com.example.juice"])
        #expect(teams[1].apps[1].services == portal.teams[0].apps[0].services)
        #expect(teams[1].apps[1].keys.count == 1)
        #expect(teams[1].apps[1].keys != portal.teams[0].apps[0].keys)
        #expect(try await emulator.authorize()["code"] != nil)
        let before = try await emulator.get("/emulator/transfers").text
        #expect(try await emulator.call("/emulator/reset", [:]).status == 200)
        #expect(try await emulator.get("/emulator/transfers").text == before, "like the portal, they are not reset")
    }

    @Test(
        "an impossible transfer is refused with the reason",
        arguments: [
            (["clientID": "com.example.juice", "team": "CIDERTEAM2"], "grouped_app"),
            (["clientID": "com.example.juice.mini", "team": "CIDERTEAM2"], "invalid_client"),
            (["clientID": "com.example.juice.web", "team": "CIDERTEAM2"], "invalid_client"),
            (["clientID": "nobody", "team": "CIDERTEAM2"], "invalid_client"),
            (["clientID": "com.example.soda", "team": "NOTEAM0000"], "unknown_team"),
            (["clientID": "com.example.soda", "team": "JUICETEAM1"], "invalid_request"),
            (["clientID": "com.example.soda"], "invalid_request"),
            (["clientID": "com.example.soda", "team": "CIDERTEAM2", "to": "x"], "invalid_request"),
        ])
    func refused(_ order: [String: String], _ error: String) async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.call("/emulator/transfers", order)
        #expect(answer.status == (error == "unknown_team" ? 404 : 400))
        #expect(answer.error == error, "\(answer.text)")
        #expect(emulator.emulator.portal == TestPortal.portal)
    }

    @Test("a transfer outlives a restart, with the sender's key")
    func restart() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-emulator-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "emulator.json").path
        let first = try await TestEmulator { $0.stateFile = file }
        _ = try await first.call("/emulator/transfers", ["clientID": "com.example.soda", "team": "CIDERTEAM2"])
        let second = try await TestEmulator { $0.stateFile = file }
        #expect(try await second.get("/emulator/transfers").text == first.get("/emulator/transfers").text)
        #expect(second.emulator.portal.teams == first.emulator.portal.teams)
        let secret = try second.secret {
            $0.header["kid"] = TestPortal.otherGroupKey.id.rawValue
            $0.key = TestPortal.otherGroupKey
            $0.claims["sub"] = "com.example.soda"
        }
        let changes = [
            "grant_type": "client_credentials", "scope": "user.migration", "client_id": "com.example.soda",
            "client_secret": secret,
        ]
        #expect(try await second.redeem("", changes).status == 200)
    }
}
