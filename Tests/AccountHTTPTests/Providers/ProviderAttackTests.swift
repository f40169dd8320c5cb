import AccountAPI
import AccountService
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import InMemoryLogging
import Logging
import Testing

@testable import AccountHTTP

/// Attacks on the service by way of another provider. `OpenIDConnectTests` has those on the library.
@Suite("An attacker at another provider", .eachEngine)
struct ProviderAttackTests {
    private static let providers = ["example", "query"]

    private func begin(_ client: TestClient, at id: String) async throws -> (location: String, cookie: String) {
        let beginning = try await client.page("/sign-in/\(id)")
        return (try #require(beginning.headers[.location]), try #require(beginning.cookie("__Host-siwa-browser")))
    }

    @Test("gains nothing by a token without a signature, or one signed with the client secret")
    func signatures() async throws {
        try await withService(providers: Self.providers) { client, service in
            let provider = service.providers[0]
            let key = SymmetricKey(data: Data(TestOpenIDProvider.secret.utf8))
            for algorithm in ["none", "None", "HS256", "HS512"] {
                let nonce = UUID().uuidString
                let token = try provider.token(
                    nonce: service.hash(nonce), header: #"{"alg":"\#(algorithm)","kid":"key-1"}"#
                ) { input in
                    switch algorithm {
                    case "HS256": Data(HMAC<SHA256>.authenticationCode(for: input, using: key))
                    case "HS512": Data(HMAC<SHA512>.authenticationCode(for: input, using: key))
                    default: Data()
                    }
                }
                let body = ProviderSignInRequest(identityToken: token, nonce: nonce)
                try await client.post("/v1/sign-in/example", json: body).expectError(.invalidProviderToken, 401)
            }
        }
    }

    @Test("gains no code by a document that names another token endpoint while a browser is away")
    func document() async throws {
        try await withService(providers: Self.providers) { client, service in
            let provider = service.providers[0]
            let (location, cookie) = try await begin(client, at: "example")
            let fields = formText(provider.authorize(at: location))
            provider.tokenEndpoint = "/elsewhere"
            // A token with an unknown key has the document and the keys fetched anew.
            service.clock.advance(by: .seconds(61))
            let nonce = UUID().uuidString
            let token = try provider.token(nonce: service.hash(nonce), header: #"{"alg":"ES256","kid":"key-2"}"#)
            try await client.post(
                "/v1/sign-in/example", json: ProviderSignInRequest(identityToken: token, nonce: nonce)
            ).expectError(.invalidProviderToken, 401)
            let answer = try await client.post(
                "/sign-in/example/callback", form: fields, cookies: [cookie], site: "cross-site")
            #expect(answer.status.code == 400 && answer.cookie("__Host-siwa-session") == nil)
            #expect(provider.exchanges == 0)
        }
    }

    @Test(
        "causes no server error by an error that a browser brings",
        arguments: ["unauthorized_client", "server_error"])
    func inventedError(word: String) async throws {
        try await withService(providers: Self.providers) { client, service in
            let (location, cookie) = try await begin(client, at: "query")
            let fields = service.providers[1].refuse(at: location).map { field in
                field.name == "error" ? (name: "error", value: word) : field
            }
            let answer = try await client.page("/sign-in/query/callback?\(formText(fields))", cookies: [cookie])
            #expect(answer.status == .badRequest && answer.cookie("__Host-siwa-session") == nil)
        }
    }

    @Test("sends no browser to another site, whatever the query says")
    func redirects() async throws {
        try await withService(providers: Self.providers) { client, service in
            for target in ["https://evil.example.com", "//evil.example.com", "/\\evil.example.com"] {
                let refused = try await client.page("/sign-in/example?return=\(target.addingPercentEncoding())")
                #expect(refused.status == .badRequest && refused.cookie("__Host-siwa-browser") == nil, "\(target)")
            }
            // The settings alone say where a provider sends the browser.
            for name in ["redirect_uri", "return_to", "next"] {
                let path = "/sign-in/example?\(name)=\("https://evil.example.com".addingPercentEncoding())"
                let beginning = try await client.page(path)
                let cookie = try #require(beginning.cookie("__Host-siwa-browser"))
                let location = try #require(beginning.headers[.location])
                #expect(location.hasPrefix(service.providers[0].issuer) && !location.contains("evil"))
                let answer = try await client.post(
                    "/sign-in/example/callback", form: formText(service.providers[0].authorize(at: location)),
                    cookies: [cookie], site: "cross-site")
                #expect(answer.headers[.location] == "/account")
            }
        }
    }

    @Test("reads no code and no state in logs, in the next address, or by a page that a refused code leaves behind")
    func leaks() async throws {
        var handler = InMemoryLogHandler()
        handler.logLevel = .trace
        let logger = Logger(label: "test") { [handler] _ in handler }
        try await withService(providers: Self.providers, logger: logger) { [handler] client, service in
            let provider = service.providers[1]
            var secrets: [String] = []
            for isKnown in [true, false] {
                let (location, cookie) = try await begin(client, at: "query")
                let fields = provider.authorize(at: location).map { field in
                    field.name == "code" && !isKnown ? (name: "code", value: "code-of-nobody") : field
                }
                secrets += fields.filter { $0.name != "iss" }.map(\.value) + [String(cookie.dropFirst(20))]
                let answer = try await client.page("/sign-in/query/callback?\(formText(fields))", cookies: [cookie])
                #expect(answer.status == (isKnown ? .seeOther : .badRequest))
                #expect(answer.headers[.location] == (isKnown ? "/account" : nil))
                #expect(
                    answer.header("Referrer-Policy") == "same-origin" && answer.headers[.cacheControl] == "no-store")
                for (name, value) in fields where name == "code" || name == "state" {
                    #expect(!answer.text.contains(value))
                }
                #expect(!answer.text.contains("href=\"http"), "no link leads to another site")
            }
            let lines = handler.entries.map { "\($0)" }
            #expect(lines.contains { $0.contains("/sign-in/{provider}/callback") })
            for secret in secrets { #expect(!lines.contains { $0.contains(secret) }, "\(secret)") }
        }
    }
}
