import AppleIDTransport
import OpenIDConnect
import Testing

/// Attacks by a document that changes between the beginning of an attempt and its end.
@Suite("A discovery document that changes under way")
struct ChangingDocumentTests {
    /// Has the client fetch the document again: an unknown key does, at most once a minute.
    private func refetch(_ test: TestClient) async throws {
        test.provider.clock.advance(by: 61)
        let token = try TestKey("ES256", id: "unknown").token(test.provider.payload())
        _ = try await failure { try await test.verify(token) }
    }

    @Test("to another token endpoint ends the attempt, and the code isn't sent")
    func tokenEndpoint() async throws {
        let test = try TestClient()
        let (url, attempt) = try await test.begin()
        test.provider.document(["token_endpoint": #""https://id.example.com/other-token""#])
        try await refetch(test)
        #expect(
            try await failure { try await test.finish(test.provider.authorize(url), of: attempt) } == .metadataChanged)
        #expect(test.network.exchanges.isEmpty)
        // The next attempt goes to the new one.
        let (nextURL, next) = try await test.begin()
        _ = try await failure { try await test.finish(test.provider.authorize(nextURL), of: next) }
        #expect(test.network.requests.last?.url == "https://id.example.com/other-token")
    }

    @Test("to another issuer changes nothing: the last good document and its keys stay in use")
    func issuer() async throws {
        let test = try TestClient()
        let (url, attempt) = try await test.begin()
        test.provider.document([
            "issuer": #""https://evil.example.com""#, "token_endpoint": #""https://evil.example.com/token""#,
            "jwks_uri": #""https://evil.example.com/keys""#,
        ])
        try await refetch(test)
        #expect(try await test.finish(test.provider.authorize(url), of: attempt).subject == "person-1")
        #expect(test.network.requests.allSatisfy { $0.url.hasPrefix("https://id.example.com/") })
    }

    @Test("to a key set that can't be fetched changes nothing either")
    func keys() async throws {
        let test = try TestClient()
        let (url, attempt) = try await test.begin()
        test.provider.document([
            "jwks_uri": #""https://id.example.com/nowhere""#, "token_endpoint": #""https://id.example.com/t""#,
        ])
        try await refetch(test)
        #expect(try await test.finish(test.provider.authorize(url), of: attempt).subject == "person-1")
    }

    @Test("to announce issuers in callbacks takes effect at once, and isn't taken back")
    func issuerParameter() async throws {
        let provider = TestProvider()
        provider.document(["authorization_response_iss_parameter_supported": nil])
        let test = try TestClient(provider)
        let (url, attempt) = try await test.begin()
        provider.document(["authorization_response_iss_parameter_supported": "true"])
        try await refetch(test)
        var fields = try provider.authorize(url)
        fields.removeAll { $0.name == "iss" }
        #expect(try await failure { try await test.finish(fields, of: attempt) } == .providerMixUp)

        let (nextURL, next) = try await test.begin()
        provider.document(["authorization_response_iss_parameter_supported": nil])
        try await refetch(test)
        fields = try provider.authorize(nextURL)
        fields.removeAll { $0.name == "iss" }
        #expect(try await failure { try await test.finish(fields, of: next) } == .providerMixUp)
        #expect(test.network.exchanges.isEmpty)
    }

    @Test("to other algorithms takes effect with the keys that it came with")
    func algorithms() async throws {
        let test = try TestClient()
        let token = try test.provider.token()
        #expect(try await failure { try await test.verify(token) } == nil)
        test.provider.document(["id_token_signing_alg_values_supported": #"["RS256"]"#])
        try await refetch(test)
        #expect(try await failure { try await test.verify(token) } == .unsupportedAlgorithm)
    }
}
