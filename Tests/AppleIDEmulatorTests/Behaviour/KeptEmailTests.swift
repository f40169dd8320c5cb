import Foundation
import Testing

@testable import AppleIDEmulator

/// Each test shows both sides: the default, and the behaviour `stopUsingKeepsEmailChoice`.
@Suite("The choice of an address after Stop Using")
struct KeptEmailTests {
    private func emulator(_ isOn: Bool, file: String? = nil) async throws -> TestEmulator {
        try await TestEmulator(portal: TestPortal.withAllKinds) {
            $0.behaviour.stopUsingKeepsEmailChoice = isOn
            $0.stateFile = file
        }
    }

    private func stopUsing(_ emulator: TestEmulator, _ person: String) async throws {
        let grant = ["person": person, "clientID": "com.example.juice.web"]
        #expect(try await emulator.call("/emulator/grants/stop-using", grant).status == 204)
    }

    private func email(
        _ emulator: TestEmulator, _ person: String, _ changes: [String: any Sendable]
    ) async throws -> String? {
        let answer = try await emulator.authorize(["person": person].merging(changes) { $1 })
        #expect(answer["user"] != nil, "it is a first sign-in")
        return try await ReceivedToken(answer["id_token"], from: emulator)["email"]
    }

    @Test("is made again, or stays the former one with the quirk", arguments: [false, true])
    func choice(isOn: Bool) async throws {
        let emulator = try await emulator(isOn)
        let relay = try await email(emulator, "johnny", ["hideEmail": true])
        _ = try await email(emulator, "dafni", ["email": "p@example.org"])
        try await stopUsing(emulator, "johnny")
        try await stopUsing(emulator, "dafni")
        #expect(try await email(emulator, "johnny", [:]) == (isOn ? relay : "johnny@example.com"))
        let dafni = try await email(emulator, "dafni", ["hideEmail": true])
        #expect((dafni == "p@example.org") == isOn)
        // The next time it is that of the last time.
        try await stopUsing(emulator, "johnny")
        let last = try await email(emulator, "johnny", ["hideEmail": false])
        #expect(last == (isOn ? relay : "johnny@example.com"))
    }

    @Test(
        "decides which addresses the sheet offers",
        arguments: [(false, ["share", "share-2", "share-3", "hide"]), (true, ["share-3"])])
    func sheet(isOn: Bool, words: [String]) async throws {
        let emulator = try await emulator(isOn)
        _ = try await email(emulator, "dafni", ["email": "p@example.org"])
        try await stopUsing(emulator, "dafni")
        let sheet = try await emulator.sheet(try await emulator.begin(), "dafni").text
        let offered = sheet.matches(of: /name="email" value="([^"]+)"/).map { String($0.1) }
        #expect(offered == words)
        #expect(sheet.matches(of: #/ checked>/#).count == 1)
    }

    @Test("outlives a restart, and is dropped with the address")
    func lasting() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "siwa-kept-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let first = try await emulator(true, file: file)
        let relay = try await email(first, "johnny", ["hideEmail": true])
        _ = try await email(first, "dafni", ["email": "p@example.org"])
        try await stopUsing(first, "johnny")
        try await stopUsing(first, "dafni")
        let dafni = ["id": "dafni", "email": "dafni@example.net", "name": "Dafni P"]
        #expect(try await first.call("/emulator/portal/people", dafni).status == 200)
        let second = try await emulator(true, file: file)
        #expect(try await email(second, "johnny", [:]) == relay)
        #expect(try await email(second, "dafni", [:]) == "dafni@example.net")
    }
}
