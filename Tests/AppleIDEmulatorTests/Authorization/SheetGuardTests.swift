import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("The hosts that serve the sheet")
struct SheetGuardTests {
    private static let form = "application/x-www-form-urlencoded"

    private func emulator() async throws -> TestEmulator {
        try await TestEmulator {
            $0.baseURL = "http://apple.test:4010"
            $0.allowedHosts = ["Emulator.example"]
        }
    }

    @Test(
        "are the base URL's, loopback names, and the allowed ones",
        arguments: [
            ("apple.test:4010", true), ("APPLE.test", true), ("127.0.0.1:4010", true), ("localhost:8080", true),
            ("[::1]:4010", true), ("emulator.example:80", true), ("evil.example:4010", false),
            ("apple.test.evil.example", false), ("127.0.0.1.evil.example:4010", false), ("192.0.2.7:4010", false),
            ("", false), (nil, false),
        ] as [(String?, Bool)])
    func host(_ host: String?, isServed: Bool) async throws {
        let emulator = try await emulator()
        let page = try await emulator.send(.get, TestEmulator.authorizePath(), authority: host)
        #expect(page.status == (isServed ? 200 : 403))
        #expect(page.text.contains("--allow-host") == !isServed)
        // The sheet itself was begun under a good name: the re-bound page gets no further.
        let id = try await emulator.begin()
        let sheet = try await emulator.send(
            .get, "/auth/authorize/sheet?request=\(id)&person=johnny", authority: host)
        #expect(sheet.status == (isServed ? 200 : 403))
        let body = TestEmulator.encoded([("request", id), ("person", "johnny"), ("decision", "continue")])
        let decision = try await emulator.send(
            .post, "/auth/authorize/decision", headers: ["content-type": Self.form], body: Array(body.utf8),
            authority: host)
        #expect(decision.status == (isServed ? 200 : 403))
        #expect(try await emulator.get("/emulator/grants").text.contains("johnny") == isServed)
        // Addresses that servers call have no such borders.
        #expect(try await emulator.send(.get, "/auth/keys", authority: host).status == 200)
    }

    @Test("are checked for every spelling of the path", arguments: ["//auth/authorize", "/auth//authorize/"])
    func spelling(_ path: String) async throws {
        let query = TestEmulator.authorizePath().split(separator: "?")[1]
        let answer = try await emulator().send(.get, "\(path)?\(query)", authority: "evil.example")
        #expect(answer.status == 403)
    }

    @Test(
        "are configured as names without scheme, port or path",
        arguments: ["https://a.example", "a.example:80", "a/b", ""])
    func notAHost(_ host: String) async throws {
        await #expect(throws: EmulatorError(.invalidConfiguration, "")) {
            try await TestEmulator { $0.allowedHosts = [host] }
        }
    }
}
