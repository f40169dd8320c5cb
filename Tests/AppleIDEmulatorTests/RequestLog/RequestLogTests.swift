import AppleIDTypes
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("The request log")
struct RequestLogTests {
    private func requests(_ emulator: TestEmulator) async throws -> [[String: any Sendable]] {
        try #require(try await emulator.get("/emulator/requests").json["requests"] as? [[String: any Sendable]])
    }

    @Test("has a client's request and its answer, and no value that the client sent")
    func entries() async throws {
        let emulator = try await TestEmulator()
        let secrets = ["code-0", "secret-0", "name-0", "state-0", "verifier-0", "johnny", "https://a.example/"]
        _ = try await emulator.post(
            "/auth/token",
            form: [
                ("client_id", "com.example.juice.web"), ("client_secret", "secret-0"), ("code", "code-0"),
                ("grant_type", "authorization_code"), ("name-0", "x"), ("code_verifier", "verifier-0"),
            ])
        _ = try await emulator.get(
            TestEmulator.authorizePath([
                "client_id": "secret-0", "redirect_uri": "https://a.example/", "state": "state-0",
            ]))
        _ = try await emulator.get("/auth/code-0?token=secret-0")
        _ = try await emulator.send(try #require(HTTPRequest.Method("NAME-0")), "/auth/keys")
        let log = try await emulator.get("/emulator/requests").text
        for secret in secrets { #expect(!log.contains(secret), "\(secret)") }

        let requests = try await requests(emulator)
        #expect(requests.map { $0["path"] as? String } == ["/auth/token", "/auth/authorize", "unknown", "unknown"])
        #expect(requests.map { $0["status"] as? Int } == [400, 400, 404, 404])
        #expect(requests.map { $0["method"] as? String } == ["POST", "GET", "GET", "other"])
        #expect(requests.map { $0["clientID"] as? String } == ["com.example.juice.web", "unknown", nil, nil])
        #expect(
            requests.map { $0["error"] as? String } == ["invalid_grant", "invalid_client", "not_found", "not_found"])
        #expect(requests[1]["reason"] as? String == "No client has this client_id.")
        #expect(
            requests[0]["parameters"] as? [String] == [
                "client_id", "client_secret", "code", "code_verifier", "grant_type",
            ])
        #expect(requests[0]["at"] as? Int == Int(TestEmulator.start))
    }

    @Test(
        "has the route, and not the path that was sent",
        arguments: [
            ("//auth/keys/", "/auth/keys"), ("/emulator-root.pem", "/emulator-root.pem"), ("/", "/"),
            (
                "/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js",
                "/appleauth/static/jsapi/appleid/1/{locale}/appleid.auth.js"
            ),
            (
                "/appleauth/static/jsapi/appleid/1/secret-0/appleid.auth.js",
                "/appleauth/static/jsapi/appleid/1/{locale}/appleid.auth.js"
            ), ("/secret-0", "unknown"), ("/emulatorsecret-0", "unknown"),
        ])
    func routes(sent: String, told: String) async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.get(sent)
        #expect(try await requests(emulator).map { $0["path"] as? String } == [told])
    }

    @Test(
        "omits control calls and assets in any spelling",
        arguments: ["//emulator/portal", "/assets//icon.svg"])
    func leftOut(path: String) async throws {
        let emulator = try await TestEmulator()
        #expect(try await emulator.get(path).status == 200)
        #expect(try await requests(emulator).isEmpty)
    }

    @Test("omits the control calls, marks faults, and can be cleared")
    func faults() async throws {
        let emulator = try await TestEmulator()
        try await emulator.fault("outage", ["times": 1])
        _ = try await emulator.get("/auth/keys")
        _ = try await emulator.get("/assets/icon.svg")
        let request = try #require(try await requests(emulator).first)
        #expect(try await requests(emulator).count == 1)
        #expect(request["faults"] as? [String] == ["outage"])
        #expect(request["status"] as? Int == 503)
        #expect(try await emulator.call("/emulator/requests/clear", [:]).text == #"{"requests":[]}"#)
        _ = try await emulator.get("/auth/keys")
        _ = try await emulator.call("/emulator/reset", [:])
        #expect(try await requests(emulator).isEmpty)
    }

    @Test("keeps only the newest entries, and goes on counting")
    func bounded() {
        let log = RequestLog(capacity: 3)
        for number in 1...20 {
            log.add(
                RequestLog.Entry(
                    at: Int64(number), method: "GET", path: "/", status: 200, milliseconds: 0, clientID: nil,
                    error: nil, reason: nil, parameters: [], faults: []))
            #expect(log.entries.count == min(number, 3))
            #expect(log.entries.last?.id == Int64(number))
        }
        #expect(log.entries.map(\.id) == [18, 19, 20])
    }

    @Test("has a page with the same content, behind the same guard")
    func page() async throws {
        let emulator = try await TestEmulator()
        #expect(try await emulator.get("/emulator/requests/page").text.contains("None yet."))
        _ = try await emulator.post("/auth/token", form: [("client_id", "<b>")])
        let page = try await emulator.get("/emulator/requests/page")
        #expect(page.headers[.contentType] == "text/html; charset=utf-8")
        #expect(page.text.contains("POST /auth/token"))
        #expect(page.text.contains("This is not Apple"))
        #expect(!page.text.contains("<b>"))
        let stranger = try await emulator.send(.get, "/emulator/requests/page", authority: "evil.example")
        #expect(stranger.status == 403)
    }
}
