import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

/// The ten cases of the Apple tests of the emulator `vercel-labs/emulate`, asked of this one. If the two differ,
/// Apple's behaviour is asserted here, and `Docs/emulator-checks.md` says why.
@Suite("The cases of vercel-labs/emulate")
struct EmulateCasesTests {
    @Test("1. Discovery has the emulator's endpoints and Apple's issuer")
    func discovery() async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.get("/.well-known/openid-configuration")
        #expect(answer.status == 200)
        let document = try answer.json
        let base = "http://127.0.0.1:4010"
        #expect(document["issuer"] as? String == "https://appleid.apple.com")
        for (member, path) in [
            ("authorization_endpoint", "authorize"), ("token_endpoint", "token"), ("revocation_endpoint", "revoke"),
            ("jwks_uri", "keys"),
        ] {
            #expect(document[member] as? String == "\(base)/auth/\(path)")
        }
        for (member, values) in [
            ("response_types_supported", ["code"]), ("response_modes_supported", ["query", "fragment", "form_post"]),
            ("subject_types_supported", ["pairwise"]), ("id_token_signing_alg_values_supported", ["RS256"]),
            ("scopes_supported", ["openid", "email", "name"]),
            ("token_endpoint_auth_methods_supported", ["client_secret_post"]),
        ] {
            #expect(document[member] as? [String] == values)
        }
        let claims = try #require(document["claims_supported"] as? [String])
        #expect(Set(claims).isSuperset(of: ["is_private_email", "real_user_status", "nonce_supported"]))
    }

    @Test("2. The key set holds RSA keys for signatures, with key ids of ten characters")
    func keys() async throws {
        let answer = try await TestEmulator().get("/auth/keys")
        #expect(answer.status == 200)
        let keys = try #require(try answer.json["keys"] as? [[String: String]])
        #expect(!keys.isEmpty)
        for key in keys {
            #expect(key["kty"] == "RSA")
            #expect(key["use"] == "sig")
            #expect(key["alg"] == "RS256")
            #expect(key["e"] == "AQAB")
            #expect(try ReceivedToken.decoded(key["n"] ?? "").count == 256)
            #expect(key["kid"]?.count == 10)
        }
        #expect(Set(keys.map { $0["kid"] }).count == keys.count)
    }

    @Test("3. The authorize address is a page to sign in on, but scopes without form_post are refused")
    func page() async throws {
        let emulator = try await TestEmulator()
        let page = try await emulator.get(
            TestEmulator.authorizePath(["response_type": "code", "scope": "openid email name"]))
        #expect(page.status == 200)
        #expect(page.headers[.contentType]?.hasPrefix("text/html") == true)
        #expect(page.text.contains("Sign in"))
        let refused = try await emulator.get(
            TestEmulator.authorizePath(
                ["response_type": "code", "response_mode": nil, "scope": "openid email name"]))
        #expect(refused.status == 400)
    }

    @Test("4. A whole sign-in gives page, code, tokens, and an identity token as Apple writes it for the web")
    func flow() async throws {
        let emulator = try await TestEmulator()
        let back = try await SheetVisit(emulator: emulator)
            .walk(TestEmulator.authorizePath(["response_type": "code", "scope": "openid email name"]))
        #expect(back["state"] == "state-1")
        #expect(back["id_token"] == nil)
        let answer = try await emulator.redeem(try #require(back["code"]))
        #expect(answer.status == 200)
        let tokens = try answer.json
        #expect((tokens["access_token"] as? String)?.hasPrefix("a") == true)
        #expect((tokens["refresh_token"] as? String)?.hasPrefix("r") == true)
        #expect(tokens["token_type"] as? String == "Bearer")
        #expect(tokens["expires_in"] as? Int == 3_600)

        let token = try await ReceivedToken(tokens["id_token"], from: emulator)
        #expect(token["iss"] == "https://appleid.apple.com")
        #expect(token["aud"] == "com.example.juice.web")
        #expect(token["sub"]?.isEmpty == false)
        #expect(token["email"] == "johnny@example.com")
        #expect(token["nonce"] == "nonce-1")
        #expect(token.number("auth_time") == TestEmulator.start)
        #expect(token.number("exp") == TestEmulator.start + 86_400)
        #expect(token.payload.contains(#""email_verified":true"#), "a boolean, as since 2024")
        #expect(token.payload.contains(#""nonce_supported":true"#))
        #expect(token.claims["is_private_email"] == nil, "left out rather than false")
        #expect(token.claims["real_user_status"] == nil, "never on the web")
    }

    @Test("4. A setting writes claims as text, as Apple did until 2024")
    func claimsAsText() async throws {
        let emulator = try await TestEmulator { $0.behaviour.booleanClaims = .texts }
        let tokens = try await emulator.tokens(["hideEmail": true])
        let token = try await ReceivedToken(tokens["id_token"], from: emulator)
        #expect(token["email_verified"] == "true")
        #expect(token["is_private_email"] == "true")
    }

    @Test("5. A refresh gives an access token and an identity token, and no refresh token")
    func refresh() async throws {
        let emulator = try await TestEmulator()
        let tokens = try await emulator.tokens()
        let answer = try await emulator.refresh(try #require(tokens["refresh_token"] as? String))
        #expect(answer.status == 200)
        let json = try answer.json
        #expect(Set(json.keys) == ["access_token", "token_type", "expires_in", "id_token"])
        #expect(json["access_token"] as? String != tokens["access_token"] as? String)
        #expect(json["token_type"] as? String == "Bearer")
        #expect(json["expires_in"] as? Int == 3_600)
    }

    @Test("6. Revoking an unknown token answers 200 to anybody, and a live one only to its client")
    func revocation() async throws {
        let emulator = try await TestEmulator()
        let good = try await emulator.revoke("some-token", ["token_type_hint": "access_token"])
        #expect(good.status == 200)
        let madeUpSecret = ["client_secret": "eyJhbGciOiJFUzI1NiJ9.e30.AAAA"]
        #expect(try await emulator.revoke("some-token", madeUpSecret).status == 200)
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        let madeUp = try await emulator.revoke(token, madeUpSecret)
        #expect(madeUp.status == 400)
        #expect(madeUp.error == "invalid_client")
    }

    @Test("7. A code is redeemed once")
    func codeOnce() async throws {
        let emulator = try await TestEmulator()
        let code = try #require(try await emulator.authorize()["code"] as? String)
        #expect(try await emulator.redeem(code).status == 200)
        let again = try await emulator.redeem(code)
        #expect(again.status == 400)
        #expect(again.error == "invalid_grant")
    }

    @Test("8. user comes the first time only, and not in a query, which cannot carry scopes")
    func userOnce() async throws {
        let emulator = try await TestEmulator()
        let visit = SheetVisit(emulator: emulator)
        let first = try await visit.walk(TestEmulator.authorizePath(["response_type": "code"]))
        let text = try #require(first["user"])
        let user = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: any Sendable])
        #expect(user["name"] as? [String: String] == ["firstName": "Johnny", "lastName": "Appleseed"])
        #expect(user["email"] as? String == "johnny@example.com")
        let second = try await visit.walk(TestEmulator.authorizePath(["response_type": "code"]))
        #expect(second["code"] != nil)
        #expect(second["user"] == nil)
        let query = try await emulator.get(
            TestEmulator.authorizePath(["response_type": "code", "response_mode": "query"]))
        #expect(query.status == 400)
    }

    @Test("9. form_post is a form that leads to the redirect URI, with code and state in it")
    func formPost() async throws {
        let back = try await SheetVisit(emulator: TestEmulator()).walk(
            TestEmulator.authorizePath(["response_type": "code"]))
        #expect(back.isPosted)
        #expect(back.address == TestEmulator.callback)
        #expect(back["code"]?.isEmpty == false)
        #expect(back["state"] == "state-1")
    }

    @Test("10. An unknown grant type is unsupported, and client_credentials needs its scope")
    func grants() async throws {
        let emulator = try await TestEmulator()
        let unknown = try await emulator.redeem("", ["grant_type": "password", "code": nil, "redirect_uri": nil])
        #expect(unknown.status == 400)
        #expect(unknown.error == "unsupported_grant_type")
        let credentials: [String: String?] = ["grant_type": "client_credentials", "code": nil, "redirect_uri": nil]
        let bare = try await emulator.redeem("", credentials)
        #expect(bare.status == 400)
        #expect(bare.error == "invalid_scope")
        let forMigration = try await emulator.redeem("", credentials.merging(["scope": "user.migration"]) { $1 })
        #expect(forMigration.status == 200)
    }
}
