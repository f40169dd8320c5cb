import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("Discovery and keys")
struct DiscoveryTests {
    @Test("discovery has Apple's issuer and the emulator's own addresses")
    func discovery() async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.get("/.well-known/openid-configuration")
        let document = try answer.json
        #expect(answer.headers[.contentType] == "application/json;charset=UTF-8")
        #expect(document["issuer"] as? String == "https://appleid.apple.com")
        #expect(document["authorization_endpoint"] as? String == "http://127.0.0.1:4010/auth/authorize")
        #expect(document["token_endpoint"] as? String == "http://127.0.0.1:4010/auth/token")
        #expect(document["revocation_endpoint"] as? String == "http://127.0.0.1:4010/auth/revoke")
        #expect(document["jwks_uri"] as? String == "http://127.0.0.1:4010/auth/keys")
        #expect(document["response_types_supported"] as? [String] == ["code"])
        #expect(document["response_modes_supported"] as? [String] == ["query", "fragment", "form_post"])
        #expect(document["subject_types_supported"] as? [String] == ["pairwise"])
        #expect(document["id_token_signing_alg_values_supported"] as? [String] == ["RS256"])
        #expect(document["token_endpoint_auth_methods_supported"] as? [String] == ["client_secret_post"])
        #expect((document["claims_supported"] as? [String])?.count == 12)
    }

    @Test("another issuer is in discovery and in tokens alike")
    func otherIssuer() async throws {
        let emulator = try await TestEmulator { $0.issuer = "https://account.apple.com" }
        let document = try await emulator.get("/.well-known/openid-configuration").json
        let token = try await ReceivedToken(emulator.authorize()["id_token"], from: emulator)
        #expect(document["issuer"] as? String == "https://account.apple.com")
        #expect(token["iss"] == "https://account.apple.com")
    }

    @Test("once moved, the emulator names its new address")
    func moved() async throws {
        let emulator = try await TestEmulator()
        try await emulator.emulator.move(to: "http://127.0.0.1:55555")
        let document = try await emulator.get("/.well-known/openid-configuration").json
        #expect(document["token_endpoint"] as? String == "http://127.0.0.1:55555/auth/token")
        await #expect(throws: EmulatorError.self) { try await emulator.emulator.move(to: "http://127.0.0.1:1/path") }
    }

    @Test("the key set holds one RSA key with Apple's members")
    func keys() async throws {
        let emulator = try await TestEmulator()
        let keys = try #require(await emulator.get("/auth/keys").json["keys"] as? [[String: String]])
        #expect(keys.count == 1)
        #expect(Set(keys[0].keys) == ["kty", "kid", "use", "alg", "n", "e"])
        #expect(keys[0]["e"] == "AQAB")
        #expect(try ReceivedToken.decoded(#require(keys[0]["n"])).count == 256)
        #expect(keys[0]["kid"]?.count == 10)
    }
}
