import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("Grants, and what people do about them")
struct GrantTests {
    private static let web: [String: any Sendable] = ["person": "johnny", "clientID": "com.example.juice.web"]

    private func grants(_ emulator: TestEmulator) async throws -> [[String: any Sendable]] {
        try #require(try await emulator.get("/emulator/grants").json["grants"] as? [[String: any Sendable]])
    }

    private func refreshToken(_ emulator: TestEmulator, _ changes: [String: any Sendable] = [:]) async throws -> String
    {
        try #require(try await emulator.tokens(changes)["refresh_token"] as? String)
    }

    @Test("no grant exists at first, and each authorization adds one for its person and group of apps")
    func list() async throws {
        let emulator = try await TestEmulator()
        #expect(try await emulator.get("/emulator/grants").text == #"{"grants":[]}"#)
        let answer = try await emulator.authorize(["hideEmail": true, "name": ["firstName": "Jo", "lastName": ""]])
        let token = try await ReceivedToken(answer["id_token"], from: emulator)
        emulator.clock.advance(10)
        _ = try await emulator.authorize(["clientID": "com.example.juice.mini", "native": true])
        _ = try await emulator.authorize(["clientID": "com.example.soda", "native": true, "scope": ""])
        let grants = try await grants(emulator)
        #expect(grants.map { $0["app"] as? String } == ["com.example.juice", "com.example.soda"])
        let juice = grants[0]
        #expect(juice["person"] as? String == "johnny")
        #expect(juice["team"] as? String == "JUICETEAM1")
        #expect(juice["subject"] as? String == token["sub"])
        #expect(juice["scopes"] as? [String] == ["email", "name"])
        #expect(juice["name"] as? [String: String] == ["firstName": "Jo", "lastName": ""])
        #expect(juice["email"] as? String == token["email"])
        #expect(juice["hideEmail"] as? Bool == true)
        #expect(juice["forwarding"] as? Bool == true)
        #expect(juice["createdAt"] as? Int == Int(TestEmulator.start))
        #expect(
            Set(grants[1].keys) == ["person", "app", "team", "subject", "scopes", "hideEmail", "createdAt"],
            "what was not given is not there")
    }

    @Test("Stop Using ends the tokens, and the next sign-in counts as a first one, with the same subject and address")
    func stopUsing() async throws {
        let emulator = try await TestEmulator()
        let first = try await emulator.authorize(["hideEmail": true])
        let tokens = try await emulator.redeem(try #require(first["code"] as? String)).json
        let late = try #require(try await emulator.authorize()["code"] as? String)
        let answer = try await emulator.call("/emulator/grants/stop-using", Self.web)
        #expect(answer.status == 204)
        #expect(answer.text.isEmpty)
        #expect(try await grants(emulator).isEmpty)
        let dead = try await emulator.refresh(try #require(tokens["refresh_token"] as? String))
        #expect(dead.status == 400)
        #expect(dead.error == "invalid_grant")
        #expect(try await emulator.redeem(late).error == "invalid_grant")

        let again = try await emulator.authorize(["hideEmail": true, "name": ["firstName": "Jon"]])
        #expect(try #require(again["user"] as? String).contains(#""firstName":"Jon""#))
        let old = try await ReceivedToken(first["id_token"], from: emulator)
        let new = try await ReceivedToken(again["id_token"], from: emulator)
        #expect(new["sub"] == old["sub"])
        #expect(new["email"] == old["email"])
    }

    @Test("any client of a group selects its grant, and other groups keep theirs")
    func group() async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.authorize()
        _ = try await emulator.authorize(["clientID": "com.example.soda", "native": true])
        let mini = ["person": "johnny", "clientID": "com.example.juice.mini"]
        #expect(try await emulator.call("/emulator/grants/stop-using", mini).status == 204)
        #expect(try await grants(emulator).map { $0["app"] as? String } == ["com.example.soda"])
    }

    @Test("forwarding belongs to the team: one switch holds for all its apps, and outlives the grant")
    func forwarding() async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.authorize(["hideEmail": true])
        _ = try await emulator.authorize(["clientID": "com.example.soda", "native": true, "hideEmail": true])
        _ = try await emulator.authorize(["clientID": "org.example.cider", "native": true, "hideEmail": true])
        let off = Self.web.merging(["forwarding": false]) { $1 }
        for _ in 0..<2 { #expect(try await emulator.call("/emulator/grants/forwarding", off).status == 204) }
        #expect(try await grants(emulator).map { $0["forwarding"] as? Bool } == [false, false, true])
        _ = try await emulator.call("/emulator/grants/stop-using", Self.web)
        _ = try await emulator.authorize(["hideEmail": true])
        #expect(try await grants(emulator).map { $0["forwarding"] as? Bool } == [false, false, true])
        let on = Self.web.merging(["forwarding": true]) { $1 }
        #expect(try await emulator.call("/emulator/grants/forwarding", on).status == 204)
        #expect(try await grants(emulator).map { $0["forwarding"] as? Bool } == [true, true, true])
    }

    @Test("a new password ends the refresh tokens of all apps, and leaves the consents")
    func password() async throws {
        let emulator = try await TestEmulator()
        let johnny = try await refreshToken(emulator)
        let mono = try await refreshToken(emulator, ["person": "mono"])
        #expect(try await emulator.call("/emulator/people/change-password", ["person": "johnny"]).status == 204)
        #expect(try await emulator.refresh(johnny).error == "invalid_grant")
        #expect(try await emulator.refresh(mono).status == 200)
        #expect(try await grants(emulator).count == 2)
        #expect(try await emulator.authorize()["user"] == nil)
        #expect(try await emulator.refresh(refreshToken(emulator)).status == 200)
    }

    @Test("a deleted Apple Account is removed from the portal, with all grants and tokens")
    func deletion() async throws {
        let emulator = try await TestEmulator()
        let johnny = try await refreshToken(emulator)
        _ = try await emulator.authorize(["clientID": "org.example.cider", "native": true])
        let mono = try await refreshToken(emulator, ["person": "mono"])
        let late = try #require(try await emulator.authorize()["code"] as? String)
        #expect(try await emulator.call("/emulator/people/delete", ["person": "johnny"]).status == 204)
        #expect(try await grants(emulator).map { $0["person"] as? String } == ["mono"])
        #expect(try await emulator.refresh(johnny).error == "invalid_grant")
        #expect(try await emulator.redeem(late).error == "invalid_grant")
        #expect(try await emulator.refresh(mono).status == 200)
        #expect(emulator.emulator.portal.people.map(\.id) == ["mono", "mallory"])
        #expect(try await emulator.order(Self.web).error == "unknown_person")
        #expect(try await emulator.call("/emulator/people/delete", ["person": "johnny"]).error == "unknown_person")
    }

    @Test("a new person with the id of a deleted one gets another subject and relay address")
    func neverAgain() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "siwa-deleted-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let emulator = try await TestEmulator { $0.stateFile = file }
        var seen: Set<String> = []
        for round in 1...3 {
            let token = try await ReceivedToken(
                try await emulator.authorize(["hideEmail": true])["id_token"], from: emulator)
            seen.formUnion([try #require(token["sub"]), try #require(token["email"])])
            #expect(seen.count == 2 * round)
            #expect(try await emulator.call("/emulator/people/delete", ["person": "johnny"]).status == 204)
            let johnny = ["id": "johnny", "email": "johnny@example.com"]
            #expect(try await emulator.call("/emulator/portal/people", johnny).status == 200)
        }
        // Nor after a restart; the relay address of the last one leads to nobody before.
        let again = try await TestEmulator { $0.stateFile = file }
        let token = try await ReceivedToken(try await again.authorize(["hideEmail": true])["id_token"], from: again)
        let (subject, address) = (try #require(token["sub"]), try #require(token["email"]))
        #expect(!seen.contains(subject) && !seen.contains(address))
        // A person whom the portal takes out and puts back is the same.
        #expect(try await again.call("/emulator/portal/people/remove", ["id": "johnny"]).status == 204)
        let johnny = ["id": "johnny", "email": "johnny@example.com"]
        #expect(try await again.call("/emulator/portal/people", johnny).status == 200)
        #expect(try await ReceivedToken(again.authorize()["id_token"], from: again)["sub"] == subject)
        #expect(try await again.call("/emulator/reset", [:]).status == 200)
        #expect(try await seen.contains(ReceivedToken(again.authorize()["id_token"], from: again)["sub"] ?? ""))
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let path: String
        let body: [String: any Sendable]
        let error: String
        var testDescription: String { "\(path) \(body.keys.sorted()) \(error)" }
    }

    @Test(
        "a call that fails says why",
        arguments: [
            Case(path: "grants/stop-using", body: [:], error: "invalid_request"),
            Case(path: "grants/stop-using", body: ["person": "johnny"], error: "invalid_request"),
            Case(path: "grants/stop-using", body: web, error: "unknown_grant"),
            Case(
                path: "grants/stop-using", body: ["person": "johnny", "clientID": "x"], error: "invalid_client"),
            Case(
                path: "grants/stop-using", body: ["person": "x", "clientID": "com.example.juice"],
                error: "unknown_person"),
            Case(path: "grants/stop-using", body: web.merging(["x": 1]) { $1 }, error: "invalid_request"),
            Case(path: "grants/forwarding", body: web, error: "invalid_request"),
            Case(path: "grants/forwarding", body: web.merging(["forwarding": "off"]) { $1 }, error: "invalid_request"),
            Case(path: "grants/forwarding", body: web.merging(["forwarding": false]) { $1 }, error: "unknown_grant"),
            Case(
                path: "grants/forwarding",
                body: ["person": "mono", "clientID": "com.example.juice", "forwarding": false],
                error: "no_relay_address"),
            Case(path: "people/change-password", body: [:], error: "invalid_request"),
            Case(path: "people/change-password", body: ["person": "x"], error: "unknown_person"),
            Case(path: "people/delete", body: ["person": "mono", "sure": true], error: "invalid_request"),
        ])
    func refused(_ example: Case) async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.authorize(["person": "mono"])
        let answer = try await emulator.call("/emulator/\(example.path)", example.body)
        #expect(answer.status == (example.error.hasPrefix("unknown_") ? 404 : 400))
        #expect(answer.error == example.error, "\(answer.text)")
        #expect(try answer.json["message"] is String)
        #expect(try await grants(emulator).count == 1)
    }

    @Test("people's changes outlive a restart")
    func restart() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-emulator-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "emulator.json").path
        let first = try await TestEmulator { $0.stateFile = file }
        let token = try await refreshToken(first, ["hideEmail": true])
        _ = try await first.authorize(["clientID": "com.example.soda", "native": true])
        _ = try await first.authorize(["person": "mono"])
        _ = try await first.call("/emulator/grants/forwarding", Self.web.merging(["forwarding": false]) { $1 })
        _ = try await first.call("/emulator/people/change-password", ["person": "johnny"])
        _ = try await first.call("/emulator/people/delete", ["person": "mono"])
        let stopped = ["person": "johnny", "clientID": "com.example.soda"]
        _ = try await first.call("/emulator/grants/stop-using", stopped)
        let second = try await TestEmulator { $0.stateFile = file }
        #expect(try await second.get("/emulator/grants").text == first.get("/emulator/grants").text)
        #expect(try await grants(second).map { $0["forwarding"] as? Bool } == [false])
        #expect(second.emulator.portal.people.map(\.id) == ["johnny", "mallory"])
        #expect(try await second.refresh(token).error == "invalid_grant")
    }
}
