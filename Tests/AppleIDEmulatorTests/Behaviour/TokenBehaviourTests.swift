import AppleIDTypes
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("Behaviours of tokens, codes and discovery")
struct TokenBehaviourTests {
    private func emulator(_ change: (inout Behaviour) -> Void = { _ in }) async throws -> TestEmulator {
        try await TestEmulator { change(&$0.behaviour) }
    }

    @Test("booleans can be texts, and is_private_email can be present when it is false")
    func booleans() async throws {
        let usual = try await emulator()
        let absent = try await ReceivedToken(usual.authorize()["id_token"], from: usual)
        #expect(absent.payload.contains(#""email_verified":true"#))
        #expect(!absent.payload.contains("is_private_email"))
        let odd = try await emulator {
            $0.booleanClaims = .texts; $0.showsFalsePrivateEmail = true
        }
        let token = try await ReceivedToken(odd.authorize()["id_token"], from: odd)
        #expect(token["email_verified"] == "true")
        #expect(token["is_private_email"] == "false")
        let hidden = try await odd.authorize(["person": "mono", "hideEmail": true])["id_token"]
        #expect(try await ReceivedToken(hidden, from: odd)["is_private_email"] == "true")
        let silent = try await odd.authorize(["clientID": "com.example.soda", "native": true, "scope": "name"])
        #expect(try await !ReceivedToken(silent["id_token"], from: odd).payload.contains("is_private_email"))
    }

    @Test(
        "identity tokens can live for ten minutes",
        arguments: [(.day, 86_400), (.tenMinutes, 600)] as [(Behaviour.IdentityTokenLifetime, Int64)])
    func lifetime(_ lifetime: Behaviour.IdentityTokenLifetime, seconds: Int64) async throws {
        let emulator = try await emulator { $0.identityTokenLifetime = lifetime }
        let token = try await ReceivedToken(emulator.authorize()["id_token"], from: emulator)
        #expect(token.number("exp") == TestEmulator.start + seconds)
    }

    @Test("discovery can name another issuer than tokens do, and tokens can name that issuer too")
    func issuers() async throws {
        let june = try await emulator { $0.discoveryIssuer = .accountDomain }
        let discovery = try await june.get("/.well-known/openid-configuration").json
        #expect(discovery["issuer"] as? String == "https://account.apple.com")
        #expect(try await ReceivedToken(june.authorize()["id_token"], from: june)["iss"] == "https://appleid.apple.com")

        let app = TestApp()
        let later = try await app.emulator { $0.behaviour.tokenIssuer = .accountDomain }
        let token = try await ReceivedToken(later.authorize()["id_token"], from: later)
        #expect(token["iss"] == "https://account.apple.com")
        try await later.notify()
        try await later.emulator.deliverNotifications()
        #expect(try await ReceivedToken(app.payloads.first, from: later)["iss"] == "https://account.apple.com")
        let still = try await later.get("/.well-known/openid-configuration").json["issuer"]
        #expect(still as? String == "https://appleid.apple.com")
    }

    @Test("discovery can redirect to another address, which answers")
    func redirection() async throws {
        let emulator = try await emulator { $0.redirectsDiscovery = true }
        let answer = try await emulator.get("/.well-known/openid-configuration")
        #expect(answer.status == 302)
        let location = try #require(answer.headers[.location])
        #expect(location.hasPrefix("http://127.0.0.1:4010/"))
        let other = try await emulator.get(String(location.dropFirst("http://127.0.0.1:4010".count)))
        #expect(try other.json["token_endpoint"] as? String == "http://127.0.0.1:4010/auth/token")
    }

    @Test("the key set can hold the signing key alone")
    func oneKey() async throws {
        let emulator = try await emulator()
        _ = try await emulator.call("/emulator/keys/rotate", [:])
        let keys = try await emulator.get("/auth/keys").json["keys"] as? [[String: String]]
        #expect(keys?.count == 2)
        _ = try await emulator.call("/emulator/quirks", ["quirks": ["one-key"]])
        let one = try await emulator.get("/auth/keys").json["keys"] as? [[String: String]]
        #expect(one == keys.map { [$0[0]] })
        _ = try await ReceivedToken(emulator.authorize()["id_token"], from: emulator)
    }

    @Test(
        "relay addresses end in one of three domains",
        arguments: [
            (.classic, "privaterelay.appleid.com"), (.iCloud, "icloud.com"), (.privateICloud, "private.icloud.com"),
        ] as [(Portal.RelayDomain, String)])
    func relayDomain(_ relayDomain: Portal.RelayDomain, domain: String) async throws {
        var portal = TestPortal.portal
        portal.people[1].relayDomain = .iCloud
        let emulator = try await TestEmulator(portal: portal) { $0.behaviour.relayDomain = relayDomain }
        let answer = try await emulator.authorize(["hideEmail": true])
        let address = try #require(try await ReceivedToken(answer["id_token"], from: emulator)["email"])
        #expect(address.hasSuffix("@" + domain))
        #expect((answer["user"] as? String)?.contains(address) == true)
        let grants = try await emulator.get("/emulator/grants").text
        #expect(grants.contains(address))
        // The portal's entry of a person wins.
        let other = try await emulator.authorize(["person": "mono", "hideEmail": true])["id_token"]
        #expect(try await ReceivedToken(other, from: emulator)["email"]?.hasSuffix("@icloud.com") == true)
    }

    @Test("errors can have no description, and can have an unrelated member")
    func errors() async throws {
        let usual = try await emulator().post("/auth/token", form: [])
        #expect(try Set(usual.json.keys) == ["error", "error_description"])
        let bare = try await emulator({ $0.errorsOmitDescription = true }).post("/auth/token", form: [])
        #expect(bare.text == #"{"error":"invalid_request"}"#)
        let junk = try await emulator({
            $0.errorsOmitDescription = true; $0.errorsHaveJunk = true
        }).post("/auth/token", form: [])
        #expect(junk.text == #"{"error":"invalid_request","email_verified":false}"#)
    }

    @Test("a code can live for ten minutes", arguments: [(301, false), (600, true), (601, false)])
    func codeLifetime(seconds: Int64, isGood: Bool) async throws {
        let emulator = try await TestEmulator { if seconds > 301 { $0.behaviour.codeLifetime = .tenMinutes } }
        let code = try #require(try await emulator.authorize()["code"] as? String)
        emulator.clock.advance(seconds)
        let answer = try await emulator.redeem(
            code, ["client_secret": try emulator.secret(at: TestEmulator.start + seconds)])
        #expect((answer.status == 200) == isGood)
    }

    @Test("a second use of a code can end the tokens of its first use", arguments: [false, true])
    func reuse(revokes: Bool) async throws {
        let emulator = try await TestEmulator { if revokes { $0.behaviour.reusedCodeEndsTokens = true } }
        let code = try #require(try await emulator.authorize()["code"] as? String)
        let token = try #require(try await emulator.redeem(code).json["refresh_token"] as? String)
        let other = try #require(try await emulator.tokens()["refresh_token"] as? String)
        #expect(try await emulator.redeem(code).error == "invalid_grant")
        #expect(try await emulator.refresh(token).error == (revokes ? "invalid_grant" : nil))
        #expect(try await emulator.refresh(other).status == 200)
    }

    @Test("the error for a missing verifier can be invalid_request, and token_type can be in lower case")
    func words() async throws {
        let emulator = try await emulator {
            $0.verifierMismatch = .invalidRequest; $0.tokenType = .lowercase
        }
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        let code = try #require(try await emulator.authorize(["codeChallenge": challenge])["code"] as? String)
        #expect(try await emulator.redeem(code).error == "invalid_request")
        let answer = try await emulator.redeem(code, ["code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"])
        #expect(try answer.json["token_type"] as? String == "bearer")
    }

    @Test("a faulty revocation request can get 200, and then revokes nothing")
    func revokeAlwaysSucceeds() async throws {
        let emulator = try await emulator { $0.foreignTokenRevocation = .success }
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        for hint in ["access_token", "code"] {
            #expect(try await emulator.revoke(token, ["token_type_hint": hint]).status == 200)
            #expect(try await emulator.revoke("garbage", ["token_type_hint": hint]).status == 200)
        }
        let secret = try emulator.secret { $0.claims["sub"] = "com.example.juice" }
        let others = ["client_id": "com.example.juice", "client_secret": secret]
        #expect(try await emulator.revoke(token, others).status == 200)
        #expect(try await emulator.refresh(token).status == 200)
        #expect(try await emulator.revoke(token).status == 200)
        #expect(try await emulator.refresh(token).error == "invalid_grant")
    }

    @Test("the name can stay away after a revocation, and comes after Stop Using")
    func revokeKeepsName() async throws {
        let emulator = try await emulator { $0.revocationKeepsName = true }
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        #expect(try await emulator.revoke(token).status == 200)
        #expect(try await emulator.authorize()["user"] == nil)
        let person = ["person": "johnny", "clientID": "com.example.juice.web"]
        #expect(try await emulator.call("/emulator/grants/stop-using", person).status == 204)
        #expect(try await emulator.authorize()["user"] != nil)
    }

    @Test("a device gets neither name nor address after such a revocation, and both after Stop Using")
    func revokeKeepsNameFromDevices() async throws {
        let emulator = try await emulator { $0.revocationKeepsName = true }
        let first = try await emulator.credential()
        #expect(first["email"] is String && first["fullName"] != nil)
        let secret = try emulator.secret { $0.claims["sub"] = "com.example.juice" }
        let client: [String: String?] = [
            "client_id": "com.example.juice", "client_secret": secret, "redirect_uri": nil,
        ]
        let code = try #require(first["authorizationCode"] as? String)
        let tokens = try await emulator.redeem(code, client)
        let token = try #require(try tokens.json["refresh_token"] as? String, "\(tokens.text)")
        #expect(try await emulator.revoke(token, client).status == 200)
        let second = try await emulator.credential()
        #expect(second["email"] == nil && second["fullName"] == nil)
        let person = ["person": "johnny", "clientID": "com.example.juice"]
        #expect(try await emulator.call("/emulator/grants/stop-using", person).status == 204)
        let third = try await emulator.credential()
        #expect(third["email"] is String && third["fullName"] != nil)
    }
}
