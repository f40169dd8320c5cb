import AppleIDTransport
import HTTPTypes
import Logging
import OpenIDConnect
import TaskSignals
import Testing

@Suite("A provider's discovery document")
struct DiscoveryTests {
    @Test("is asked for once, together with the keys, at the issuer's well-known address, path and all")
    func address() async throws {
        let provider = TestProvider("https://id.example.com/realms/one")
        let test = try TestClient(provider)
        _ = try await test.begin()
        _ = try await test.signIn()
        #expect(
            test.network.requests.map(\.url) == [
                "https://id.example.com/realms/one/.well-known/openid-configuration",
                "https://id.example.com/realms/one/keys", "https://id.example.com/realms/one/token",
            ])
    }

    @Test(
        "of another issuer is refused, however alike the two are",
        arguments: [
            "https://id.example.com/", "https://ID.example.com", "https://id.example.com/realms",
            "https://evil.example.com",
            "http://id.example.com", "https://id.example.com:443", "",
        ])
    func issuer(issuer: String) async throws {
        let provider = TestProvider()
        provider.document(["issuer": "\"\(issuer)\""])
        let test = try TestClient(provider)
        #expect(try await failure { try await test.begin() } == .metadataIssuerMismatch)
        #expect(test.network.requests.count == 1)
    }

    @Test(
        "with a member that can't be used is refused whole",
        arguments: [
            ("issuer", nil), ("issuer", "[]"), ("jwks_uri", nil), ("jwks_uri", #""/keys""#),
            ("jwks_uri", #""http://id.example.com/keys""#), ("jwks_uri", #""https://user@id.example.com/keys""#),
            ("jwks_uri", #""https://id.example.com/../keys""#), ("token_endpoint", #""http://127.0.0.1/token""#),
            ("token_endpoint", #""https://id.example.com/token#a""#),
            ("authorization_endpoint", #""javascript:alert(1)""#),
            ("authorization_endpoint", #""https://id.example.com/authorize?redirect_uri=https://evil.example.com""#),
            ("authorization_endpoint", #""https://id.example.com/authorize?%73tate=a""#),
            ("id_token_signing_alg_values_supported", #""ES256""#), ("response_types_supported", "[1]"),
        ] as [(String, String?)])
    func members(name: String, value: String?) async throws {
        let provider = TestProvider()
        provider.document([name: value])
        let test = try TestClient(provider)
        #expect(try await failure { try await test.begin() } == .malformedAnswer)
    }

    @Test(
        "of a provider that lacks a required feature is refused, and the error says so",
        arguments: [
            ("response_types_supported", #"["id_token"]"#), ("code_challenge_methods_supported", #"["plain"]"#),
            ("id_token_signing_alg_values_supported", #"["none","HS256"]"#),
            ("token_endpoint_auth_methods_supported", #"["tls_client_auth"]"#),
            ("response_modes_supported", #"["fragment"]"#), ("token_endpoint", nil), ("authorization_endpoint", nil),
        ] as [(String, String?)])
    func unsupported(name: String, value: String?) async throws {
        let provider = TestProvider()
        provider.document([name: value])
        let test = try TestClient(provider)
        #expect(try await failure { try await test.begin() } == .providerUnsupported)
    }

    @Test("that doesn't announce PKCE doesn't turn PKCE off")
    func silentAboutPKCE() async throws {
        let provider = TestProvider()
        provider.document(["code_challenge_methods_supported": nil])
        let test = try TestClient(provider)
        _ = try await test.signIn()
        #expect(test.network.exchanges.first?["code_verifier"]?.utf8.count == 43)
    }

    @Test("is never followed to another place", arguments: [301, 302, 307, 308])
    func redirect(status: Int) async throws {
        let provider = TestProvider()
        let evil = TestProvider("https://evil.example.com")
        let network = TestNetwork(provider, evil)
        for path in ["/.well-known/openid-configuration", "/keys"] {
            provider.change { state in
                var answer = AppleResponse.json("", status: status)
                answer.head.headerFields[.location] = evil.issuer + path
                state.answers = [path: answer]
            }
            let test = try TestClient(provider, network: network)
            #expect(try await failure { try await test.begin() } == .providerUnavailable)
        }
        #expect(network.requests.allSatisfy { $0.url.hasPrefix("https://id.example.com/") })
    }

    @Test(
        "is refused when it, or the key set, is larger than 64 KB",
        arguments: ["/.well-known/openid-configuration", "/keys"])
    func size(path: String) async throws {
        let provider = TestProvider()
        provider.change { $0.answers[path] = .json("{\"a\":\"" + String(repeating: "a", count: 65_536) + "\"}") }
        let test = try TestClient(provider)
        #expect(try await failure { try await test.begin() } == .providerUnavailable)
    }

    /// Answers nothing before it is let go.
    private final class Silent: AppleTransport {
        let end = OneShot<AppleResponse>()

        func send(_ request: AppleRequest) async throws -> AppleResponse { try await end.value() }
    }

    @Test("is waited for no longer than the time limit, even if the transport never answers")
    func time() async throws {
        let silent = Silent()
        let client = ProviderClient(
            try ProviderConfiguration(
                id: ProviderID("example"), issuer: "https://id.example.com", clientID: "client-1",
                credential: .secret("s"), button: ProviderButton(name: "Example")),
            transport: silent, timeLimit: .milliseconds(10), logger: Logger(label: "test"))
        #expect(
            try await failure { try await client.begin(ProviderRequest(redirectURI: TestClient.redirectURI)) }
                == .providerUnavailable)
        silent.end.deliver(.success(.json("{}")))
    }

    @Test(
        "that isn't strict JSON is refused: a member twice, a tail, a depth",
        arguments: [
            #"{"issuer":"https://id.example.com","issuer":"https://id.example.com"}"#, "{} {}", "[]", "",
            String(repeating: "[", count: 64),
        ])
    func strict(text: String) async throws {
        let provider = TestProvider()
        provider.change { $0.answers["/.well-known/openid-configuration"] = .json(text) }
        #expect(try await failure { try await TestClient(provider).begin() } == .malformedAnswer)
    }

    @Test("may have plain http URLs if the issuer is plain http on this machine")
    func loopback() async throws {
        let provider = TestProvider("http://127.0.0.1:9400")
        #expect(try await TestClient(provider).signIn().issuer == "http://127.0.0.1:9400")
    }

    @Test("stays in use for a day while the provider fails, and is fetched again after an hour")
    func lifetime() async throws {
        let test = try TestClient()
        _ = try await test.begin()
        test.provider.change { $0.answers["/.well-known/openid-configuration"] = .json("", status: 503) }
        test.provider.clock.advance(by: 3_601)
        _ = try await test.begin()
        test.provider.clock.advance(by: 86_400)
        #expect(try await failure { try await test.begin() } == .providerUnavailable)
    }
}
