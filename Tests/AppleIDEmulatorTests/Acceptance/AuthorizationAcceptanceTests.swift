import AppleIDTypes
import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("Acceptance: authorization")
struct AuthorizationAcceptanceTests {
    @Test("1. The first sign-in on the web has user, the second has not, the third, after stop using, has")
    func userOnce() async throws {
        let emulator = try await TestEmulator()
        var visit = SheetVisit(emulator: emulator)
        visit.entries = ["firstName": "Jo", "lastName": "Appleseed"]
        let first = try await visit.walk(TestEmulator.authorizePath())
        let text = try #require(first["user"])
        let user = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: any Sendable])
        #expect(user["name"] as? [String: String] == ["firstName": "Jo", "lastName": "Appleseed"])
        #expect(user["email"] as? String == "johnny@example.com")

        let second = try await visit.walk(TestEmulator.authorizePath())
        #expect(second["code"] != nil)
        #expect(second["user"] == nil)

        let stopped = try await emulator.call(
            "/emulator/grants/stop-using", ["person": "johnny", "clientID": "com.example.juice.web"])
        #expect(stopped.status == 204)
        #expect(try await visit.walk(TestEmulator.authorizePath())["user"] == text)
    }

    @Test("2. A person has one subject for every client of a team, and another in another team")
    func subjects() async throws {
        let emulator = try await TestEmulator()
        func subject(_ changes: [String: any Sendable]) async throws -> String {
            let token = try await ReceivedToken(emulator.authorize(changes)["id_token"], from: emulator)
            return try #require(token["sub"])
        }
        let web = try await subject([:])
        for bundle in ["com.example.juice", "com.example.juice.mini", "com.example.soda"] {
            #expect(try await subject(["clientID": bundle, "native": true]) == web, "\(bundle)")
        }
        let cider = try await subject(["clientID": "org.example.cider", "native": true])
        #expect(cider != web)
        #expect(try await subject(["clientID": "org.example.cider.web"]) == cider)
        #expect(try await subject(["person": "mono"]) != web)
    }

    @Test(
        "3. A scope with response_mode query is an invalid request",
        arguments: ["name", "email", "name email", "openid email"])
    func scopeNeedsForm(_ scope: String) async throws {
        try await refuse(["scope": scope, "response_mode": "query", "response_type": "code"], "invalid_request")
    }

    @Test("4. response_type id_token alone is refused", arguments: ["form_post", "fragment", "query", nil])
    func identityTokenAlone(_ mode: String?) async throws {
        try await refuse(["response_type": "id_token", "response_mode": mode, "scope": nil], "invalid_request")
    }

    @Test(
        "5. In strict mode localhost and addresses are refused as redirect URIs though they are registered",
        arguments: [
            "http://localhost:4000/sign-in/apple/callback", "https://localhost/callback", "http://127.0.0.1/callback",
            "http://[::1]:4000/callback", "https://192.0.2.7/callback", "https://[2001:db8::1]/callback",
            "https://localhost./callback", "https://a.localhost/callback", "https://a.localhost./callback",
            "https://0x7f.0.0.1/callback", "https://127.1/callback", "https://0x7f000001/callback",
            "https://juice.0x1/callback", "https://a..example.com/callback", "https://-a.example.com/callback",
            "https://a-.example.com/callback", "https://juice.example.com./callback", "https://juice/callback",
            "https://juice.example.com", "https://juice.example.com?x=1",
        ])
    func strictRedirects(_ address: String) async throws {
        var portal = TestPortal.portal
        portal.register(returnURL: address, for: "com.example.juice.web")
        try await refuse(["redirect_uri": address], "invalid_request", portal: portal) { $0.strictURLs = true }
        let lax = try await TestEmulator(portal: portal)
        let answer = try await lax.get(TestEmulator.authorizePath(["redirect_uri": address]))
        #expect(answer.status == 200, "strict mode alone refuses it: \(answer.text)")
    }

    @Test(
        "5. In either mode a fragment is refused, and what is https and registered is let through",
        arguments: [true, false])
    func anyRedirects(isStrict: Bool) async throws {
        let good = "https://juice.example.com/callback?from=apple"
        try await refuse(["redirect_uri": good + "#there"], "invalid_request") { $0.strictURLs = isStrict }
        let emulator = try await TestEmulator { $0.strictURLs = isStrict }
        #expect(try await emulator.get(TestEmulator.authorizePath(["redirect_uri": good])).status == 200)
    }

    @Test("10. c_hash is of the code and at_hash of the access token, in signed tokens")
    func halfHashes() async throws {
        let emulator = try await TestEmulator()
        let back = try await SheetVisit(emulator: emulator).walk(TestEmulator.authorizePath())
        let code = try #require(back["code"])
        let front = try await ReceivedToken(back["id_token"], from: emulator)
        #expect(front["c_hash"] == Self.leftHalf(code))
        #expect(front["at_hash"] == nil)
        let tokens = try await emulator.redeem(code).json
        let exchanged = try await ReceivedToken(tokens["id_token"], from: emulator)
        #expect(exchanged["at_hash"] == Self.leftHalf(try #require(tokens["access_token"] as? String)))
        let refreshed = try await emulator.refresh(try #require(tokens["refresh_token"] as? String)).json
        let later = try await ReceivedToken(refreshed["id_token"], from: emulator)
        #expect(later["at_hash"] == Self.leftHalf(try #require(refreshed["access_token"] as? String)))
    }

    @Test("15. Cancel posts user_cancelled_authorize and the state, and nothing else")
    func cancel() async throws {
        let emulator = try await TestEmulator()
        let state = "a b&c=\"<d>\"'"
        let back = try await SheetVisit(emulator: emulator, decision: "Cancel")
            .walk(TestEmulator.authorizePath(["state": state]))
        #expect(back.isPosted)
        #expect(back.address == TestEmulator.callback)
        #expect(back.fields == ["error": "user_cancelled_authorize", "state": state])
        #expect(try await emulator.get("/emulator/grants").text == #"{"grants":[]}"#)
    }

    /// A page and, for who asks for it, JSON; and no way to the client in either.
    private func refuse(
        _ changes: [String: String?], _ error: String, portal: Portal = TestPortal.portal,
        configure: @escaping (inout EmulatorConfiguration) -> Void = { _ in }
    ) async throws {
        let emulator = try await TestEmulator(portal: portal, configure: configure)
        let path = TestEmulator.authorizePath(changes)
        let json = try await emulator.get(path, headers: ["accept": "application/json"])
        #expect(json.status == 400)
        #expect(json.error == error, "\(json.text)")
        let page = try await emulator.get(path, headers: ["accept": "text/html"])
        #expect(page.status == 400)
        #expect(page.headers[.location] == nil)
        #expect(PageForm.all(in: page.text).allSatisfy { $0.action.hasPrefix("/") }, "no form leads to the client")
    }

    /// OpenID Connect Core §3.3.2.11: the first 128 of 256 bits, in base64url.
    private static func leftHalf(_ text: String) -> String {
        Data(Array(SHA256.hash(data: Data(text.utf8)))[..<16]).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
