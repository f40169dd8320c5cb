import AppleIDTransport
import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import OpenIDConnect
import Testing

@Suite("The exchange of a provider's code")
struct ExchangeTests {
    private func posts(_ test: TestClient) -> [AppleRequest] {
        test.network.requests.filter { $0.head.method == .post }
    }

    @Test("authenticates with client_secret_basic, both parts encoded first")
    func basic() async throws {
        let test = try TestClient()
        _ = try await test.signIn()
        let request = try #require(posts(test).first)
        let header = try #require(request.head.headerFields[.authorization])
        let pair = Data("client-1:s3cret%3A%25%2F%20value".utf8).base64EncodedString()
        #expect(header == "Basic " + pair)
        let form = fields(String(decoding: request.body, as: UTF8.self))
        #expect(form.map(\.name) == ["grant_type", "code", "redirect_uri", "code_verifier"])
        #expect(form["grant_type"] == "authorization_code" && form["redirect_uri"] == TestClient.redirectURI)
    }

    @Test("authenticates with client_secret_post if the provider announces only that")
    func post() async throws {
        let provider = TestProvider()
        provider.document(["token_endpoint_auth_methods_supported": #"["client_secret_post"]"#])
        let test = try TestClient(provider)
        _ = try await test.signIn()
        let request = try #require(posts(test).first)
        #expect(request.head.headerFields[.authorization] == nil)
        let form = try #require(test.network.exchanges.first)
        #expect(form["client_id"] == "client-1")
        #expect(form["client_secret"] == "s3cret:%/ value")
    }

    @Test("authenticates with client_secret_basic if the provider announces nothing")
    func unannounced() async throws {
        let provider = TestProvider()
        provider.document(["token_endpoint_auth_methods_supported": nil])
        let test = try TestClient(provider)
        _ = try await test.signIn()
        #expect(posts(test).first?.head.headerFields[.authorization] != nil)
    }

    @Test("authenticates with an assertion signed by a private key, for the issuer or the token endpoint, each once")
    func assertion() async throws {
        let key = P256.Signing.PrivateKey()
        for (audience, expected) in [
            (ClientCredential.AssertionAudience.issuer, "https://id.example.com"),
            (.tokenEndpoint, "https://id.example.com/token"),
        ] {
            let provider = TestProvider()
            provider.document([
                "token_endpoint_auth_methods_supported": #"["private_key_jwt"]"#,
                "token_endpoint_auth_signing_alg_values_supported": #"["RS256","ES256"]"#,
            ])
            let test = try TestClient(
                provider,
                credential: .privateKey(id: "our-key", pem: key.pemRepresentation, audience: audience))
            _ = try await test.signIn()
            _ = try await test.signIn()
            let forms = test.network.exchanges
            #expect(
                forms[0]["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
            let assertions = try forms.map { try #require($0["client_assertion"]) }
            var identifiers: Set<String> = []
            for assertion in assertions {
                let parts = assertion.split(separator: ".").map(String.init)
                let header = try members(parts[0])
                #expect(header["alg"] as? String == "ES256")
                #expect(header["kid"] as? String == "our-key")
                let payload = try members(parts[1])
                #expect(payload["iss"] as? String == "client-1")
                #expect(payload["sub"] as? String == "client-1")
                #expect(payload["aud"] as? String == expected)
                #expect(payload["exp"] as? Int == TestClock.start + 120)
                identifiers.insert(try #require(payload["jti"] as? String))
                let signature = try P256.Signing.ECDSASignature(rawRepresentation: try bytes(parts[2]))
                #expect(key.publicKey.isValidSignature(signature, for: Data((parts[0] + "." + parts[1]).utf8)))
            }
            #expect(identifiers.count == 2)
        }
    }

    @Test("signs an assertion with an RSA key by an announced algorithm, by RS256 if none is, or not at all")
    func rsaAssertion() async throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        for (announced, algorithm) in [(nil, "RS256"), (#"["RS256","PS256"]"#, "PS256"), (#"["RS256"]"#, "RS256")]
            as [(String?, String)]
        {
            let provider = TestProvider()
            provider.document([
                "token_endpoint_auth_methods_supported": #"["private_key_jwt"]"#,
                "token_endpoint_auth_signing_alg_values_supported": announced,
            ])
            let test = try TestClient(provider, credential: .privateKey(id: "k", pem: key.pkcs8PEMRepresentation))
            _ = try await test.signIn()
            let parts = try #require(test.network.exchanges[0]["client_assertion"]).split(separator: ".").map(
                String.init)
            #expect(try members(parts[0])["alg"] as? String == algorithm)
            #expect(
                key.publicKey.isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: try bytes(parts[2])),
                    for: SHA256.hash(data: Data((parts[0] + "." + parts[1]).utf8)),
                    padding: algorithm == "PS256" ? .PSS : .insecurePKCS1v1_5))
        }
        let provider = TestProvider()
        provider.document([
            "token_endpoint_auth_methods_supported": #"["private_key_jwt"]"#,
            "token_endpoint_auth_signing_alg_values_supported": #"["HS256"]"#,
        ])
        let test = try TestClient(provider, credential: .privateKey(id: "k", pem: key.pkcs8PEMRepresentation))
        let (url, attempt) = try await test.begin()
        #expect(
            try await failure { try await test.finish(provider.authorize(url), of: attempt) } == .providerUnsupported)
        #expect(test.network.exchanges.isEmpty)
    }

    @Test(
        "says what a refusal means",
        arguments: [
            (400, #"{"error":"invalid_grant"}"#, OpenIDConnectError.Code.grantRejected),
            (401, #"{"error":"invalid_client"}"#, .clientRejected),
            (400, #"{"error":"unauthorized_client"}"#, .clientRejected),
            (400, "<html>", .exchangeOutcomeUnknown), (403, #"{"error":"invalid_grant"}"#, .exchangeOutcomeUnknown),
            (429, #"{"error":"invalid_grant"}"#, .exchangeOutcomeUnknown), (500, "", .exchangeOutcomeUnknown),
            (200, "{}", .exchangeOutcomeUnknown), (200, "[", .exchangeOutcomeUnknown),
            (200, #"{"id_token":"a.b.c","id_token":"a.b.c"}"#, .exchangeOutcomeUnknown),
            (200, #"{"access_token":"a","token_type":"mac","id_token":"a.b.c"}"#, .exchangeOutcomeUnknown),
        ])
    func refusals(status: Int, body: String, code: OpenIDConnectError.Code) async throws {
        let test = try TestClient()
        test.provider.change { $0.answers["/token"] = .json(body, status: status) }
        #expect(try await failure { try await test.signIn() } == code)
        #expect(test.network.exchanges.count == 1)
    }

    @Test("asks for a new sign-in after a refused code, in an error that contains no code")
    func description() async throws {
        let test = try TestClient()
        test.provider.change { $0.answers["/token"] = .json(#"{"error":"invalid_grant"}"#, status: 400) }
        let (url, attempt) = try await test.begin()
        let callback = try test.provider.authorize(url)
        do {
            _ = try await test.finish(callback, of: attempt)
            Issue.record("the code was taken")
        } catch let error as OpenIDConnectError {
            #expect(error.kind == .signInAgain)
            #expect(!"\(error)".contains(try #require(callback["code"])))
            #expect((error.cause as? ProviderRefusal)?.word == "invalid_grant")
        }
    }

    private func bytes(_ text: String) throws -> Data {
        var base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        while !base64.count.isMultiple(of: 4) { base64 += "=" }
        return try #require(Data(base64Encoded: base64))
    }

    private func members(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: bytes(text)) as? [String: Any])
    }
}
