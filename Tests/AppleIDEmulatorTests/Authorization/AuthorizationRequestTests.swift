import AppleIDTypes
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("Refused requests to /auth/authorize")
struct AuthorizationRequestTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let changes: [String: String?]
        let error: String
        var testDescription: String { name }
    }

    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    static let cases = [
        Case(name: "no client", changes: ["client_id": nil], error: "invalid_request"),
        Case(name: "unknown client", changes: ["client_id": "com.example.nobody"], error: "invalid_client"),
        Case(name: "client in capitals", changes: ["client_id": "COM.example.juice.web"], error: "invalid_client"),
        Case(name: "an App ID", changes: ["client_id": "com.example.juice"], error: "invalid_client"),
        Case(name: "no redirect URI", changes: ["redirect_uri": nil], error: "unauthorized_client"),
        Case(name: "unregistered", changes: ["redirect_uri": "http://localhost:4000/other"], error: "invalid_request"),
        Case(
            name: "longer than registered", changes: ["redirect_uri": TestEmulator.callback + "/"],
            error: "invalid_request"),
        Case(
            name: "look-alike host", changes: ["redirect_uri": "http://localhost:4000@evil.example/"],
            error: "invalid_request"),
        Case(name: "fragment", changes: ["redirect_uri": TestEmulator.callback + "#x"], error: "invalid_request"),
        Case(name: "relative", changes: ["redirect_uri": "/callback"], error: "invalid_request"),
        Case(name: "custom scheme", changes: ["redirect_uri": "juice://callback"], error: "invalid_request"),
        Case(name: "no response type", changes: ["response_type": nil], error: "invalid_request"),
        Case(name: "id_token alone", changes: ["response_type": "id_token"], error: "invalid_request"),
        Case(name: "token", changes: ["response_type": "token"], error: "invalid_request"),
        Case(name: "the other order", changes: ["response_type": "id_token code"], error: "invalid_request"),
        Case(name: "unknown mode", changes: ["response_mode": "pigeon"], error: "invalid_request"),
        Case(
            name: "id_token by query", changes: ["response_mode": "query", "scope": nil], error: "invalid_request"),
        Case(
            name: "scope by query", changes: ["response_mode": "query", "response_type": "code"],
            error: "invalid_request"),
        Case(name: "scope by fragment", changes: ["response_mode": "fragment"], error: "invalid_request"),
        Case(name: "scope without mode", changes: ["response_mode": nil], error: "invalid_request"),
        Case(name: "unknown scope", changes: ["scope": "name phone"], error: "invalid_scope"),
        Case(name: "plus for space", changes: ["scope": "name+email"], error: "invalid_scope"),
        Case(
            name: "plain PKCE", changes: ["code_challenge": challenge, "code_challenge_method": "plain"],
            error: "invalid_request"),
        Case(name: "PKCE without method", changes: ["code_challenge": challenge], error: "invalid_request"),
        Case(
            name: "short challenge", changes: ["code_challenge": "abc", "code_challenge_method": "S256"],
            error: "invalid_request"),
        Case(name: "method alone", changes: ["code_challenge_method": "S256"], error: "invalid_request"),
    ]

    @Test("a bad request gets a page or JSON, and is never sent to the redirect URI", arguments: cases)
    func refused(_ example: Case) async throws {
        let emulator = try await TestEmulator()
        let path = TestEmulator.authorizePath(example.changes)
        let json = try await emulator.get(path, headers: ["accept": "application/json"])
        #expect(json.status == 400)
        #expect(json.error == example.error)
        #expect(json.headers[.location] == nil)
        let page = try await emulator.get(path, headers: ["accept": "text/html"])
        #expect(page.status == 400)
        #expect(page.headers[.contentType] == "text/html; charset=utf-8")
        #expect(page.headers[.location] == nil)
        #expect(page.text.contains("<code>\(example.error)</code>"))
        #expect(page.text.contains("not Apple"))
    }

    struct Order: CustomTestStringConvertible {
        let earlier: [String: String?]
        let later: [String: String?]
        let error: String
        var testDescription: String { error }
    }

    @Test(
        "the refusal names the first rule broken, in Apple's order",
        arguments: [
            Order(
                earlier: ["client_id": "nobody"], later: ["redirect_uri": nil], error: "No client has"),
            Order(
                earlier: ["redirect_uri": nil], later: ["response_type": "token"], error: "redirect_uri is missing"),
            Order(
                earlier: ["response_type": "token"], later: ["response_mode": "pigeon"], error: "response_type must be"),
            Order(
                earlier: ["response_mode": "pigeon"], later: ["scope": "phone"], error: "response_mode must be query"),
            Order(earlier: ["response_mode": "fragment"], later: ["scope": "phone"], error: "when name or email"),
        ])
    func order(_ example: Order) async throws {
        let emulator = try await TestEmulator()
        let changes = example.earlier.merging(example.later) { first, _ in first }
        let answer = try await emulator.get(
            TestEmulator.authorizePath(changes), headers: ["accept": "application/json"])
        #expect(
            try #require(answer.json["error_description"] as? String).hasPrefix(example.error)
                || answer.text.contains(example.error))
    }

    @Test(
        "strict mode applies Apple's rules for redirect URIs",
        arguments: [
            (TestEmulator.callback, false), ("https://192.0.2.7/callback", false),
            ("http://127.0.0.1:4000/callback", false), ("https://juice.example.com/callback?from=apple", true),
        ])
    func strict(_ url: String, _ isAccepted: Bool) async throws {
        let emulator = try await TestEmulator { $0.strictURLs = true }
        let answer = try await emulator.get(TestEmulator.authorizePath(["redirect_uri": url]))
        #expect(answer.status == (isAccepted ? 200 : 400))
    }

    @Test("plain http to another host is refused even if the portal registers it", arguments: [false, true])
    func plainHTTP(isStrict: Bool) async throws {
        let url = "http://juice.example.com/callback"
        var portal = TestPortal.portal
        portal.register(returnURL: url, for: "com.example.juice.web")
        let emulator = try await TestEmulator(portal: portal) { $0.strictURLs = isStrict }
        let answer = try await emulator.get(
            TestEmulator.authorizePath(["redirect_uri": url]), headers: ["accept": "application/json"])
        #expect(answer.error == "invalid_request")
        let reason = isStrict ? "Strict mode wants https" : "http is allowed for localhost"
        #expect(answer.text.contains(reason), "not that it is not registered: \(answer.text)")
    }

    @Test(
        "a parameter that appears twice is refused, whatever its name",
        arguments: ["client_id=com.example.juice.web", "state=2", "frame_id=1&frame_id=2", "%73tate=2"])
    func duplicates(_ more: String) async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.get(
            TestEmulator.authorizePath() + "&" + more, headers: ["accept": "application/json"])
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_request")
    }

    @Test("parameters that Apple's script adds, and the scope openid, are accepted")
    func tolerated() async throws {
        let emulator = try await TestEmulator()
        let path = TestEmulator.authorizePath(["scope": "openid name email", "frame_id": "x", "m": "21", "v": "1.5.4"])
        #expect(try await emulator.get(path).status == 200)
    }
}
