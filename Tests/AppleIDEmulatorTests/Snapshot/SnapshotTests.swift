import AppleIDTypes
import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("A snapshot")
struct SnapshotTests {
    private func load(_ text: String, into emulator: TestEmulator) async throws -> TestEmulator.Answer {
        try await emulator.send(
            .post, "/emulator/snapshot", headers: ["content-type": "application/json"], body: Array(text.utf8))
    }

    @Test("restores everything: people's consents, tokens, codes, keys and behaviour")
    func roundTrip() async throws {
        let emulator = try await TestEmulator()
        let tokens = try await emulator.tokens()
        let refresh = try #require(tokens["refresh_token"] as? String)
        let access = try #require(tokens["access_token"] as? String)
        let code = try #require(try await emulator.authorize()["code"] as? String)
        _ = try await emulator.call("/emulator/quirks", ["quirks": ["lowercase-token-type"]])
        let keys = try await emulator.get("/auth/keys").text
        let snapshot = try await emulator.get("/emulator/snapshot").text

        _ = try await emulator.call("/emulator/reset", [:])
        _ = try await emulator.call("/emulator/keys/rotate", [:])
        _ = try await emulator.call("/emulator/quirks", ["quirks": [String]()])
        _ = try await emulator.call("/emulator/people/delete", ["person": "johnny"])
        #expect(try await emulator.refresh(refresh).error == "invalid_grant")

        // Into the same run, and into another one at another address.
        let other = try await TestEmulator(portal: nil) { $0.baseURL = "http://127.0.0.1:5050" }
        for emulator in [emulator, other] {
            #expect(try await load(snapshot, into: emulator).status == 204)
            #expect(try await emulator.get("/auth/keys").text == keys)
            #expect(try await emulator.refresh(refresh).json["token_type"] as? String == "bearer")
            #expect(try await emulator.redeem(code).status == 200)
            #expect(try await emulator.redeem(code).error == "invalid_grant")
            #expect(try await emulator.authorize()["user"] == nil)
            #expect(try await emulator.revoke(access).status == 200)
            #expect(try await emulator.refresh(refresh).error == "invalid_grant")
        }
        #expect(other.emulator.portal.baseURL == "http://127.0.0.1:5050")
        #expect(other.emulator.portal.teams == TestPortal.portal.teams)
    }

    @Test("leaves it to the run that loads it whether mail for others is taken", arguments: [true, false])
    func mailForOthers(isTaken: Bool) async throws {
        let snapshot = try await TestEmulator().get("/emulator/snapshot").text
        let emulator = try await TestEmulator { $0.takesMailForOthers = isTaken }
        #expect(try await load(snapshot, into: emulator).status == 204)
        let answer = try await emulator.call("/emulator/mail", ["from": "a@b.example", "to": ["me@example.org"]])
        #expect(try answer.json["accepted"] as? Bool == isTaken)
    }

    @Test("is stored in the state file of the run that loads it")
    func stateFile() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "siwa-snapshot-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let first = try await TestEmulator()
        _ = try await first.authorize()
        let snapshot = try await first.get("/emulator/snapshot").text
        let second = try await TestEmulator { $0.stateFile = file }
        #expect(try await load(snapshot, into: second).status == 204)
        let third = try await TestEmulator { $0.stateFile = file }
        #expect(try await third.authorize()["user"] == nil)
    }

    @Test(
        "is refused if it is malformed, and nothing changes",
        arguments: [
            ("", ""), ("{", "{}"), (#""version":1"#, #""version":2"#), (#""johnny""#, "7"),
            ("BEGIN PRIVATE KEY", "BEGIN NOTHING"), ("JUICETEAM1", "CIDERTEAM2"),
            (#""grants":["#, #""grants":3,"codes":["#),
            ("1767225600", "9223372036854775807"), ("1767225600", "-9223372036854775807"),
        ])
    func refused(_ text: String, _ replacement: String) async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.tokens()
        let snapshot = try await emulator.get("/emulator/snapshot").text
        let spoilt = text.isEmpty ? "null" : snapshot.replacing(text, with: replacement)
        try #require(spoilt != snapshot)
        let answer = try await load(spoilt, into: emulator)
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_request", "\(answer.text)")
        #expect(!answer.text.contains("PRIVATE"))
        #expect(try await emulator.get("/emulator/snapshot").text == snapshot)
    }

    @Test("may be larger than other bodies, up to a limit")
    func size() async throws {
        let emulator = try await TestEmulator()
        let snapshot = try await emulator.get("/emulator/snapshot").text
        let padded = snapshot + String(repeating: " ", count: 1024 * 1024)
        #expect(try await load(padded, into: emulator).status == 204)
        let huge = snapshot + String(repeating: " ", count: SavedState.maximumBytes)
        #expect(try await load(huge, into: emulator).status == 413)
    }

    @Test("drops entries about unknown people when it is loaded")
    func strays() async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.tokens()
        let snapshot = try await emulator.get("/emulator/snapshot").text
        let strayed = snapshot.replacing(#""person":"johnny""#, with: #""person":"nobody""#)
        #expect(strayed != snapshot)
        #expect(try await load(strayed, into: emulator).status == 204)
        #expect(try await emulator.get("/emulator/grants").text == #"{"grants":[]}"#)
    }

    @Test(
        "is held to the rules of a portal's file, with the same messages",
        arguments: [
            ("http://127.0.0.1:4000/callback", "http://juice.example.com/callback", false),
            ("com.example.soda", "com.example.*", false),
            (#""name":"Soda""#, #""name":"\#(String(repeating: "x", count: 256))""#, false),
            (#""id":"KEYSODA001""#, #""id":"KEY SODA 1""#, false), ("CIDERTEAM2", "CIDER", true),
        ])
    func portalRules(_ text: String, _ replacement: String, isStrict: Bool) async throws {
        var portal = TestPortal.portal
        if isStrict { portal.teams.removeFirst() }
        if isStrict { portal.teams[0].apps[0].services[0].domains = ["cider.example.org"] }
        let emulator = try await TestEmulator(portal: portal) { $0.strictURLs = isStrict }
        let snapshot = try await emulator.get("/emulator/snapshot").text
        #expect(try await load(snapshot, into: emulator).status == 204)
        let spoilt = snapshot.replacing(text, with: replacement)
        try #require(spoilt != snapshot)
        let answer = try await load(spoilt, into: emulator)
        #expect(answer.status == 400)

        let file = try JSONEncoder().encode(portal)
        let spoiltFile = String(decoding: file, as: UTF8.self).replacing("\\/", with: "/")
            .replacing(text, with: replacement)
        let error = try #require(throws: EmulatorError.self) {
            try PortalFile.parse(Array(spoiltFile.utf8), isStrict: isStrict)
        }
        let words = error.reason.replacing("portal, line 1: ", with: "state.portal.")
        #expect(try answer.json["message"] as? String == words)
        #expect(error.place != nil)
    }

    @Test("isn't given out if it is too large to be loaded")
    func tooLarge() async throws {
        let snapshot = try await TestEmulator().emulator.core.snapshot()
        let bytes = try snapshot.encoded()
        #expect(try snapshot.encoded(upTo: bytes.count) == bytes)
        let refusal = try #require(throws: Refusal.self) { try snapshot.encoded(upTo: bytes.count - 1) }
        #expect(refusal.code == .snapshotTooLarge)
        #expect(refusal.code.status == .conflict)
        #expect(!bytes.contains(UInt8(ascii: "\n")), "and no room is wasted")
    }

    @Test("keeps which names were held back: they stay away at the next sign-in, and only then")
    func withheldNames() async throws {
        let emulator = try await TestEmulator { $0.behaviour.revocationKeepsName = true }
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        #expect(try await emulator.revoke(token).status == 200)
        let snapshot = try await emulator.get("/emulator/snapshot").text
        let other = try await TestEmulator()
        #expect(try await load(snapshot, into: other).status == 204)
        #expect(try await other.authorize()["user"] == nil, "kept back in the other run, too")
        let stop = ["person": "johnny", "clientID": "com.example.juice.web"]
        #expect(try await other.call("/emulator/grants/stop-using", stop).status == 204)
        #expect(try await other.authorize()["user"] != nil, "once only")
        #expect(try await load(try await other.get("/emulator/snapshot").text, into: other).status == 204)
        #expect(try await other.call("/emulator/grants/stop-using", stop).status == 204)
        #expect(try await other.authorize()["user"] != nil)
    }
}
