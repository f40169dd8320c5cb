import Crypto
import OpenIDConnect
import Testing

@Suite("The configuration of a provider")
struct ConfigurationTests {
    private func configuration(
        id: String = "example", issuer: String = "https://id.example.com", clientID: String = "client-1",
        scopes: [String] = ["email"]
    ) throws -> ProviderConfiguration {
        try ProviderConfiguration(
            id: ProviderID(id), issuer: issuer, clientID: clientID, credential: .secret("s3cret"),
            scopes: scopes, button: ProviderButton(name: "Example"))
    }

    @Test("always asks for openid, and otherwise only for the configured scopes")
    func scopes() throws {
        #expect(try configuration().scopes == ["openid", "email"])
        #expect(try configuration(scopes: []).scopes == ["openid"])
        #expect(try configuration(scopes: ["email", "openid"]).scopes == ["email", "openid"])
    }

    @Test(
        "finds the document at the issuer's well-known address, with or without a slash at its end",
        arguments: [
            "https://id.example.com", "https://id.example.com/",
        ])
    func address(issuer: String) throws {
        #expect(
            try configuration(issuer: issuer).documentURL == "https://id.example.com/.well-known/openid-configuration")
    }

    @Test(
        "accepts an issuer by https, and by http only on this machine",
        arguments: [
            "http://id.example.com", "https://ID.example.com", "https://id.example.com?a=b", "https://id.example.com#a",
            "https://user@id.example.com", "https://id.example.com/a/../b", "id.example.com", "", "https://",
            "ftp://id.example.com",
            "https://id.example.com/a b",
        ])
    func issuers(issuer: String) throws {
        #expect(throws: OpenIDConnectError(.invalidConfiguration, "")) { try configuration(issuer: issuer) }
        #expect(try configuration(issuer: "http://localhost:9400").issuer == "http://localhost:9400")
    }

    @Test("refuses empty client identifiers, and scopes with spaces")
    func words() {
        #expect(throws: OpenIDConnectError(.invalidConfiguration, "")) { try configuration(clientID: "") }
        #expect(throws: OpenIDConnectError(.invalidConfiguration, "")) { try configuration(scopes: ["openid email"]) }
        #expect(throws: OpenIDConnectError(.invalidConfiguration, "")) { try ClientCredential.secret("") }
        #expect(throws: OpenIDConnectError(.invalidConfiguration, "")) { try ClientCredential.secret("a\nb") }
        #expect(throws: OpenIDConnectError(.invalidConfiguration, "")) {
            try ClientCredential.privateKey(id: "k", pem: "-----BEGIN PRIVATE KEY-----")
        }
        #expect(throws: OpenIDConnectError(.invalidConfiguration, "")) {
            try ClientCredential.privateKey(id: "", pem: P256.Signing.PrivateKey().pemRepresentation)
        }
    }

    @Test(
        "has a short id that fits into an address, and never Apple's",
        arguments: [
            "apple", "", "Google", "-a", "1a", "a/b", "a b", "ä", String(repeating: "a", count: 33),
        ])
    func names(name: String) throws {
        #expect(throws: OpenIDConnectError(.invalidConfiguration, "")) { try ProviderID(name) }
        #expect(try ProviderID("my-company-2").rawValue == "my-company-2")
    }

    @Test("is unique by its id, and by its client at an issuer")
    func distinct() throws {
        try ProviderConfiguration.requireDistinct([
            configuration(), configuration(id: "other", clientID: "client-2"),
        ])
        for second in [
            try configuration(issuer: "https://other.example.com"), try configuration(id: "other"),
        ] {
            #expect(throws: OpenIDConnectError(.invalidConfiguration, "")) {
                try ProviderConfiguration.requireDistinct([configuration(), second])
            }
        }
    }

    @Test("shows no secret when it is printed, dumped or mirrored, nor do its attempts, callbacks and identities")
    func redaction() async throws {
        let test = try TestClient()
        let (url, attempt) = try await test.begin()
        let fields = try test.provider.authorize(url)
        let callback = try ProviderCallback(fields: fields, at: TestClient.redirectURI)
        let identity = try await test.client.finish(callback, of: attempt)
        let credential = try ClientCredential.secret("s3cret:%/ value")
        for value in [test.client.configuration, credential, attempt, callback, identity] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                for secret in ["s3cret", attempt.state, "code-1", "person-1"] { #expect(!text.contains(secret)) }
            }
        }
    }
}
