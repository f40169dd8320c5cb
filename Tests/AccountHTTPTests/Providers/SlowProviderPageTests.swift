import AccountAPI
import AccountService
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AccountHTTP

/// Pages and answers about a provider that doesn't answer in time, as people and apps see them.
@Suite("A slow provider", .eachEngine, .timeLimit(.minutes(2)))
struct SlowProviderPageTests {
    private static let document = "/.well-known/openid-configuration"
    private static let limit: Duration = .seconds(1)

    @Test("The way there says to try again, and so does the way back, with a code that is sent once")
    func pages() async throws {
        try await withService(providers: ["example"], providerTimeLimit: Self.limit) { client, service in
            let provider = service.providers[0]
            let document = provider.beSilent(at: Self.document)
            let away = try await client.page("/sign-in/example")
            away.expectErrorPage(503, "The other site can’t be reached")
            #expect(away.headers[.retryAfter] == "60" && away.headers[.setCookie] == nil)
            document.stop()
            service.clock.advance(by: .seconds(6))

            let beginning = try await client.page("/sign-in/example")
            let location = try #require(beginning.headers[.location], "\(beginning.text)")
            let cookie = try #require(beginning.cookie("__Host-siwa-browser"))
            let fields = formText(provider.authorize(at: location))
            let token = provider.beSilent(at: "/token")
            let back = try await client.post(
                "/sign-in/example/callback", form: fields, cookies: [cookie], site: "cross-site")
            #expect(back.status == .badRequest && back.cookie("__Host-siwa-session") == nil, "\(back.text)")
            token.stop()
            let again = try await client.post(
                "/sign-in/example/callback", form: fields, cookies: [cookie], site: "cross-site")
            again.expectErrorPage(400, "This sign-in is over")
            #expect(provider.exchanges == 1)
        }
    }

    @Test("An app's call says when to try again, and the token is good then")
    func call() async throws {
        try await withService(providers: ["example"], providerTimeLimit: Self.limit) { client, service in
            let provider = service.providers[0]
            let raw = UUID().uuidString
            let body = ProviderSignInRequest(
                identityToken: try provider.token(nonce: service.hash(raw)), nonce: raw)
            let silence = provider.beSilent(at: "/keys")
            let refused = try await client.post("/v1/sign-in/example", json: body)
            try refused.expectError(.providerUnavailable, 503)
            #expect(refused.headers[.retryAfter] == "60")
            silence.stop()
            service.clock.advance(by: .seconds(6))
            #expect(try await client.post("/v1/sign-in/example", json: body).status == .ok)
        }
    }

    @Test("An app's authorization stays open until a browser gets there, and ends with an error on the way back")
    func authorization() async throws {
        try await withService(providers: ["example"], providerTimeLimit: Self.limit) { client, service in
            let app = TestAuthorization(client: client, service: service)
            let provider = service.providers[0]
            var request = app.request(TestAuthorization.loopback)
            (request.provider, request.nonce) = ("example", service.hash("a raw nonce of the app"))
            let begun = try await client.post("/v1/authorizations", json: request)
            let path = app.path(of: try begun.decode(RedirectAuthorizationAnswer.self))

            let document = provider.beSilent(at: Self.document)
            try await app.click(path).expectErrorPage(503, "The other site can’t be reached")
            document.stop()
            service.clock.advance(by: .seconds(6))
            let clicked = try await app.click(path)
            let refresh = try #require(clicked.header("Refresh"), "\(clicked.text)")
            let cookie = try #require(clicked.cookie("__Host-siwa-browser"))

            let token = provider.beSilent(at: "/token")
            let fields = formText(provider.authorize(at: String(refresh.dropFirst("0; url=".count))))
            let end = try await client.post(
                "/sign-in/example/callback", form: fields, cookies: [cookie], site: "cross-site")
            let last = try await client.page(try #require(end.headers[.location], "\(end.text)"), cookies: [cookie])
            let query = try await app.leave(last, cookies: [cookie])
            #expect(query["error"] == "sign_in_again" && query["handle"] == nil)
            token.stop()
            #expect(provider.exchanges == 1)
        }
    }

    @Test("An app's authorization whose provider is removed meanwhile ends nowhere, and goes on when it is back")
    func removed() async throws {
        try await withService(providers: ["example"]) { client, service in
            let app = TestAuthorization(client: client, service: service)
            var request = app.request(TestAuthorization.loopback)
            (request.provider, request.nonce) = ("example", service.hash("a raw nonce of the app"))
            let begun = try await client.post("/v1/authorizations", json: request)
            let path = app.path(of: try begun.decode(RedirectAuthorizationAnswer.self))
            let clicked = try await app.click(path)
            let refresh = try #require(clicked.header("Refresh"), "\(clicked.text)")
            let cookie = try #require(clicked.cookie("__Host-siwa-browser"))
            let fields = service.providers[0].authorize(at: String(refresh.dropFirst("0; url=".count)))

            let without = try await service.reopenWithoutProviders()
            let secret = try #require(BrowserSecret(rawValue: String(cookie.split(separator: "=")[1])))
            await #expect(throws: AccountError(.providerUnknown, "")) {
                _ = try await without.providerSignIn.finish(fields, at: "example", browser: secret)
            }
            #expect(service.providers[0].exchanges == 0)
            let end = try await client.post(
                "/sign-in/example/callback", form: formText(fields), cookies: [cookie], site: "cross-site")
            let last = try await client.page(try #require(end.headers[.location], "\(end.text)"), cookies: [cookie])
            #expect(try await app.leave(last, cookies: [cookie])["handle"] != nil)
        }
    }
}
