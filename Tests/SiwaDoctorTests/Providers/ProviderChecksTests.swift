import AppleID
import AppleIDTesting
import Foundation
import HTTPTypes
import OpenIDConnect
import Testing

@testable import SiwaDoctor

/// Answers with a document and a key set, and with nothing else.
private struct OneProvider: AppleTransport {
    struct NotThere: Error {}

    static let issuer = "https://id.example.com"
    var members: [String: any Sendable] = [
        "issuer": issuer, "authorization_endpoint": issuer + "/authorize", "token_endpoint": issuer + "/token",
        "jwks_uri": issuer + "/keys", "response_types_supported": ["code"],
        "id_token_signing_alg_values_supported": ["RS256", "ES256", "HS256"],
        "response_modes_supported": ["query", "form_post"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": true,
    ]
    var page: String?

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        switch request.url.dropFirst(Self.issuer.count) {
        case "/.well-known/openid-configuration":
            let json = try page.map { Data($0.utf8) } ?? JSONSerialization.data(withJSONObject: members)
            return AppleResponse(status: .ok, headerFields: [.contentType: "application/json"], body: Array(json))
        case "/keys":
            let keys =
                #"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"1","use":"sig","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#
            return AppleResponse(status: .ok, headerFields: [.contentType: "application/json"], body: Array(keys.utf8))
        default: throw NotThere()
        }
    }
}

@Suite("siwa doctor at another provider")
struct ProviderChecksTests {
    private func findings(
        _ provider: OneProvider, hasSecret: Bool = true, issuer: String = OneProvider.issuer
    ) async throws -> [Finding] {
        var settings = DoctorSettings()
        settings.publicURL = "https://juice.example.com"
        settings.providers = [
            try ProviderConfiguration(
                id: ProviderID("example"), issuer: issuer, clientID: "client-1",
                credential: hasSecret ? .secret("a secret") : nil, button: ProviderButton(name: "Example"))
        ]
        return await ProviderChecks(settings: settings, transport: provider, now: { Date(timeIntervalSince1970: 1) })
            .findings()
    }

    @Test("finds nothing wrong, and says which redirect URI to register")
    func good() async throws {
        let findings = try await findings(OneProvider())
        #expect(findings.areGood && findings.allSatisfy { $0.name == "example" && $0.code == nil })
        #expect(
            findings.map(\.explanation).prefix(2) == [
                "https://id.example.com/.well-known/openid-configuration answers for its own issuer, with 1 key",
                "identity tokens are signed with one of ES256, RS256",
            ])
        #expect(
            findings.last?.hints.first?.text
                == "register https://juice.example.com/sign-in/example/callback there, byte for byte")
    }

    @Test("reports the errors that browsers would meet")
    func wrong() async throws {
        var provider = OneProvider()
        provider.members["code_challenge_methods_supported"] = ["plain"]
        provider.members["token_endpoint_auth_methods_supported"] = ["private_key_jwt"]
        provider.members["response_modes_supported"] = ["fragment"]
        provider.members["authorization_response_iss_parameter_supported"] = nil
        let found = try await findings(provider)
        #expect(
            found.compactMap(\.code) == [
                "provider_without_code_flow", "provider_authentication_unsupported", "provider_pkce_without_s256",
            ])
        #expect(!found.areGood && found.contains { $0.explanation.contains("answers don't name the issuer") })
        provider = OneProvider()
        provider.members["code_challenge_methods_supported"] = nil
        let warned = try await findings(provider)
        #expect(warned.areGood && warned.compactMap(\.code) == ["provider_pkce_not_announced"])
    }

    @Test("reads only the document if only apps sign in")
    func appsAlone() async throws {
        let found = try await findings(OneProvider(), hasSecret: false)
        #expect(found.map(\.outcome) == [.passed, .passed, .skipped])
    }

    @Test("distinguishes a wrong issuer, a page and no answer")
    func document() async throws {
        var provider = OneProvider()
        provider.members["issuer"] = OneProvider.issuer + "/"
        #expect(try await findings(provider).map(\.code) == ["provider_issuer_mismatch"])
        provider.page = "<html>Sign in to the network</html>"
        #expect(try await findings(provider).map(\.code) == ["provider_document_malformed"])
        #expect(
            try await findings(OneProvider(), issuer: "https://elsewhere.example.com").map(\.code) == [
                "provider_unreachable"
            ])
        provider = OneProvider()
        provider.members["id_token_signing_alg_values_supported"] = ["HS256"]
        #expect(try await findings(provider).map(\.code) == ["provider_unsupported"])
    }
}
