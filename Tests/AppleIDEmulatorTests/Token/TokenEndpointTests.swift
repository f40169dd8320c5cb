import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("The token endpoint")
struct TokenEndpointTests {
    private func code(_ emulator: TestEmulator, _ changes: [String: any Sendable] = [:]) async throws -> String {
        try #require(try await emulator.authorize(changes)["code"] as? String)
    }

    @Test("a good request gets Apple's answer, which caches must not store")
    func success() async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.redeem(code(emulator))
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "application/json;charset=UTF-8")
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[.pragma] == "no-cache")
        let json = try answer.json
        #expect(Set(json.keys) == ["access_token", "token_type", "expires_in", "refresh_token", "id_token"])
        #expect(json["token_type"] as? String == "Bearer")
        #expect(json["expires_in"] as? Int == 3600)
    }

    struct Case: CustomTestStringConvertible {
        let name: String
        let changes: [String: String?]
        let error: String
        var testDescription: String { name }
    }

    @Test(
        "a bad form is refused with Apple's word and status",
        arguments: [
            Case(name: "no grant type", changes: ["grant_type": nil], error: "invalid_request"),
            Case(name: "misspelt", changes: ["grant_type": "authorisation_code"], error: "unsupported_grant_type"),
            Case(name: "no scope", changes: ["grant_type": "client_credentials"], error: "invalid_scope"),
            Case(
                name: "other scope", changes: ["grant_type": "client_credentials", "scope": "email"],
                error: "invalid_scope"),
            Case(
                name: "bad secret and bad scope",
                changes: ["grant_type": "client_credentials", "scope": "email", "client_secret": "x"],
                error: "invalid_client"),
            Case(name: "no client", changes: ["client_id": nil], error: "invalid_client"),
            Case(name: "no secret", changes: ["client_secret": nil], error: "invalid_client"),
            Case(name: "empty secret", changes: ["client_secret": ""], error: "invalid_client"),
            Case(name: "unknown client", changes: ["client_id": "com.example.nobody"], error: "invalid_client"),
            Case(name: "no code", changes: ["code": nil], error: "invalid_request"),
            Case(name: "unknown code", changes: ["code": "c00.0.aa.bb"], error: "invalid_grant"),
            Case(name: "no redirect URI", changes: ["redirect_uri": nil], error: "invalid_grant"),
            Case(name: "other redirect URI", changes: ["redirect_uri": "https://a.example/"], error: "invalid_grant"),
            Case(name: "verifier without challenge", changes: ["code_verifier": "x"], error: "invalid_grant"),
            Case(
                name: "bad secret and bad code", changes: ["client_secret": "x", "code": "y"], error: "invalid_grant"),
        ])
    func refused(_ example: Case) async throws {
        let emulator = try await TestEmulator()
        let code = try await code(emulator)
        let answer = try await emulator.redeem(code, example.changes)
        #expect(answer.status == 400)
        #expect(answer.error == example.error, "\(answer.text)")
        // No report of Apple's `invalid_client` has a description.
        #expect(try answer.json["error_description"] is String == (example.error != "invalid_client"))
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(try await emulator.redeem(code).status == 200, "a refused attempt leaves the code good")
    }

    @Test("a code works once")
    func once() async throws {
        let emulator = try await TestEmulator()
        let code = try await code(emulator)
        #expect(try await emulator.redeem(code).status == 200)
        let again = try await emulator.redeem(code)
        #expect(again.status == 400)
        #expect(again.error == "invalid_grant")
    }

    @Test(
        "a code is valid for five minutes, to the second",
        arguments: [(300, nil), (301, "invalid_grant"), (601, "invalid_grant")] as [(Int64, String?)])
    func lifetime(_ seconds: Int64, _ error: String?) async throws {
        let emulator = try await TestEmulator()
        let code = try await code(emulator)
        emulator.clock.advance(seconds)
        let now = TestEmulator.start + seconds
        let secret = try emulator.secret { $0.claims["exp"] = now + 60 }
        #expect(try await emulator.redeem(code, ["client_secret": secret]).error == error)
    }

    @Test("a code belongs to the client that got it")
    func otherClient() async throws {
        let emulator = try await TestEmulator()
        let code = try await code(emulator)
        let secret = try emulator.secret { $0.claims["sub"] = "com.example.juice" }
        let changes: [String: String?] = [
            "client_id": "com.example.juice", "client_secret": secret, "redirect_uri": nil,
        ]
        #expect(try await emulator.redeem(code, changes).error == "invalid_grant")
    }

    @Test("a device's code is redeemed by the app, without a redirect URI")
    func native() async throws {
        let emulator = try await TestEmulator()
        let code = try await code(emulator, ["clientID": "com.example.juice.mini", "native": true])
        let secret = try emulator.secret { $0.claims["sub"] = "com.example.juice.mini" }
        var changes: [String: String?] = ["client_id": "com.example.juice.mini", "client_secret": secret]
        #expect(try await emulator.redeem(code, changes).error == "invalid_grant")
        changes["redirect_uri"] = String?.none
        let answer = try await emulator.redeem(code, changes)
        let token = try await ReceivedToken(answer.json["id_token"], from: emulator)
        #expect(token["aud"] == "com.example.juice.mini")
    }

    @Test("a JSON body gets Apple's error for it, and other types are invalid requests")
    func contentType() async throws {
        let emulator = try await TestEmulator()
        for (type, error) in [("application/json", "unsupported_grant_type"), ("text/plain", "invalid_request")] {
            let answer = try await emulator.send(
                .post, "/auth/token", headers: ["content-type": type], body: Array("{}".utf8))
            #expect(answer.status == 400)
            #expect(answer.error == error)
        }
        let typed = try await emulator.send(
            .post, "/auth/token",
            headers: ["content-type": "Application/X-WWW-Form-URLEncoded; charset=utf-8"], body: Array("a=b".utf8))
        #expect(try typed.json["error_description"] as? String == "grant_type is missing.")
    }

    @Test("a repeated field is refused before anything else is checked")
    func duplicates() async throws {
        let emulator = try await TestEmulator()
        let form = [("grant_type", "nonsense"), ("grant_type", "nonsense")]
        #expect(try await emulator.post("/auth/token", form: form).error == "invalid_request")
    }

    @Test("a refresh gives a new access token, an identity token without nonce, and no new refresh token")
    func refresh() async throws {
        let emulator = try await TestEmulator()
        let tokens = try await emulator.redeem(code(emulator, ["nonce": "n"])).json
        let refresh = try #require(tokens["refresh_token"] as? String)
        let answer = try await emulator.redeem(
            "", ["grant_type": "refresh_token", "refresh_token": refresh, "code": nil, "redirect_uri": nil])
        let json = try answer.json
        #expect(Set(json.keys) == ["access_token", "token_type", "expires_in", "id_token"])
        #expect(json["access_token"] as? String != tokens["access_token"] as? String)
        let token = try await ReceivedToken(json["id_token"], from: emulator)
        #expect(token["nonce"] == nil)
        #expect(token["email"] == "johnny@example.com")
        #expect(token["at_hash"] == ReceivedToken.halfHash(try #require(json["access_token"] as? String)))
    }

    @Test("client_credentials gives a client an access token, and no token about a person")
    func clientCredentials() async throws {
        let emulator = try await TestEmulator()
        let changes: [String: String?] = [
            "grant_type": "client_credentials", "scope": "user.migration", "code": nil, "redirect_uri": nil,
        ]
        let answer = try await emulator.redeem("", changes)
        #expect(answer.status == 200)
        #expect(answer.headers[.cacheControl] == "no-store")
        let json = try answer.json
        #expect(Set(json.keys) == ["access_token", "token_type", "expires_in"])
        #expect(json["token_type"] as? String == "Bearer")
        #expect(json["expires_in"] as? Int == 3600)
    }

    @Test("a code that was asked for with a challenge needs the verifier, and only that one")
    func proofKey() async throws {
        let emulator = try await TestEmulator()
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        let code = try await code(emulator, ["codeChallenge": challenge])
        #expect(try await emulator.redeem(code).error == "invalid_grant")
        #expect(try await emulator.redeem(code, ["code_verifier": challenge]).error == "invalid_grant")
        #expect(try await emulator.redeem(code, ["code_verifier": verifier]).status == 200)
    }

    @Test("a refresh token that is unknown, or another client's, is an invalid grant")
    func badRefresh() async throws {
        let emulator = try await TestEmulator()
        let unknown: [String: String?] = ["grant_type": "refresh_token", "refresh_token": "r0"]
        #expect(try await emulator.redeem("", unknown).error == "invalid_grant")
        let tokens = try await emulator.redeem(code(emulator)).json
        let secret = try emulator.secret { $0.claims["sub"] = "com.example.juice" }
        let others: [String: String?] = [
            "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"] as? String,
            "client_id": "com.example.juice", "client_secret": secret,
        ]
        #expect(try await emulator.redeem("", others).error == "invalid_grant")
        #expect(try await emulator.redeem("", ["grant_type": "refresh_token"]).error == "invalid_request")
    }
}
