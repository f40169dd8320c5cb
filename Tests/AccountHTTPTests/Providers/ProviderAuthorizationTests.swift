import AccountAPI
import AccountService
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AccountHTTP

/// An app without the provider's SDK, and a browser of its person's.
@Suite("An app's authorization at another provider", .eachEngine)
struct ProviderAuthorizationTests {
    private static let providers = ["example", "query"]

    private func request(
        _ app: TestAuthorization, at provider: String = "example", nonce: String?,
        redirectURI: String? = TestAuthorization.loopback
    ) -> BeginAuthorizationRequest {
        var request = app.request(redirectURI)
        (request.provider, request.nonce) = (provider, nonce)
        return request
    }

    /// The browser clicks, and the provider's page sends it on by itself.
    private func leave(
        _ app: TestAuthorization, _ clicked: TestResponse
    ) throws -> (location: String, cookie: String) {
        #expect(clicked.status == .ok && clicked.headers[.location] == nil)
        let refresh = try #require(clicked.header("Refresh"))
        return (String(refresh.dropFirst("0; url=".count)), try #require(clicked.cookie("__Host-siwa-browser")))
    }

    @Test("The app gets a token that signs in once, and no code; the pages name the provider", arguments: [0, 1])
    func whole(index: Int) async throws {
        try await withService(providers: Self.providers) { client, service in
            let app = TestAuthorization(client: client, service: service)
            let provider = service.providers[index]
            let raw = UUID().uuidString
            let begun = try await client.post(
                "/v1/authorizations", json: request(app, at: provider.id, nonce: service.hash(raw)))
            try #require(begun.status == .ok, "\(begun.text)")
            let path = app.path(of: try begun.decode(RedirectAuthorizationAnswer.self))
            let page = try await client.page(path)
            #expect(
                page.text.contains("Continue with \(provider.id.capitalized)") && !page.text.contains("Apple Account"))
            #expect(page.headers[.contentSecurityPolicy]?.contains("form-action 'self';") == true)

            let (location, cookie) = try leave(app, try await app.click(path))
            #expect(location.contains("nonce=\(service.hash(raw))"))
            let fields = formText(provider.authorize(.init(givenName: "Ann"), at: location))
            let callback = "/sign-in/\(provider.id)/callback"
            let end =
                index == 0
                ? try await client.post(callback, form: fields, cookies: [cookie], site: "cross-site")
                : try await client.page("\(callback)?\(fields)", cookies: [cookie])
            #expect(end.status == .seeOther && end.headers[.setCookie] == nil)
            let last = try await client.page(try #require(end.headers[.location]), cookies: [cookie])
            #expect(last.text.contains("\(provider.id.capitalized) has answered"))
            let query = try await app.leave(last, cookies: [cookie])
            let redeemed = try await app.redeem(handle: try #require(query["handle"]))
            let credential: AuthorizationCredentialBody = try redeemed.decode()
            #expect(credential.user == "person-1" && credential.authorizationCode == nil)
            #expect(credential.email == "ann@example.org" && credential.fullName?.givenName == "Ann")
            #expect(credential.state == "of-the-app")

            let body = ProviderSignInRequest(identityToken: credential.identityToken, nonce: raw)
            let wrong = try await client.post("/v1/sign-in/\(Self.providers[1 - index])", json: body)
            try wrong.expectError(.invalidProviderToken, 401)
            #expect(try await client.post("/v1/sign-in/\(provider.id)", json: body).status == .ok)
            try await client.post("/v1/sign-in/\(provider.id)", json: body).expectError(.tokenAlreadyUsed, 401)
        }
    }

    @Test("A device code leads to the provider, too")
    func device() async throws {
        try await withService(providers: Self.providers) { client, service in
            let app = TestAuthorization(client: client, service: service)
            let raw = UUID().uuidString
            let begun: DeviceAuthorizationAnswer = try await client.post(
                "/v1/authorizations", json: request(app, nonce: service.hash(raw), redirectURI: nil)
            ).decode()
            let (location, cookie) = try leave(
                app, try await app.click("/device/allow", form: "code=\(begun.userCode)"))
            let end = try await client.post(
                "/sign-in/example/callback", form: formText(service.providers[0].authorize(at: location)),
                cookies: [cookie], site: "cross-site")
            #expect(end.status == .seeOther)
            let credential: AuthorizationCredentialBody = try await app.redeem(deviceCode: begun.deviceCode).decode()
            let body = ProviderSignInRequest(identityToken: credential.identityToken, nonce: raw)
            #expect(try await client.post("/v1/sign-in/example", json: body).status == .ok)
        }
    }

    @Test("A cancellation, a bad code and a wrong issuer reach the app as errors, and another callback ends nothing")
    func failures() async throws {
        try await withService(providers: Self.providers) { client, service in
            let app = TestAuthorization(client: client, service: service)
            typealias Fields = [(name: String, value: String)]
            func changing(_ name: String, to value: String, in fields: Fields) -> Fields {
                fields.map { $0.name == name ? (name: name, value: value) : $0 }
            }
            for word in ["cancelled", "sign_in_again", "invalid_provider_token"] {
                let begun: RedirectAuthorizationAnswer = try await client.post(
                    "/v1/authorizations", json: request(app, nonce: service.hash(word))
                ).decode()
                let (location, cookie) = try leave(app, try await app.click(app.path(of: begun)))
                let provider = service.providers[0]
                let brought: Fields =
                    switch word {
                    case "cancelled": provider.refuse(at: location)
                    case "sign_in_again": changing("code", to: "unknown", in: provider.authorize(at: location))
                    default: changing("iss", to: "https://evil.example.com", in: provider.authorize(at: location))
                    }
                let fields = formText(brought)
                let elsewhere = try await client.page("/sign-in/query/callback?\(fields)", cookies: [cookie])
                elsewhere.expectErrorPage(400, "This sign-in is over")
                let end = try await client.post(
                    "/sign-in/example/callback", form: fields, cookies: [cookie], site: "cross-site")
                let last = try await client.page(try #require(end.headers[.location]), cookies: [cookie])
                let query = try await app.leave(last, cookies: [cookie])
                #expect(query["error"] == word && query["handle"] == nil)
            }
        }
    }

    @Test("An app's request is checked before anybody is sent anywhere")
    func refused() async throws {
        try await withService(providers: Self.providers) { client, service in
            let app = TestAuthorization(client: client, service: service)
            let calls = [(nil, "nonce"), ("short", "nonce")] as [(String?, String)]
            for (nonce, field) in calls {
                try await client.post("/v1/authorizations", json: request(app, nonce: nonce))
                    .expectError(.invalidRequest, 400, field: field)
            }
            try await client.post(
                "/v1/authorizations", json: request(app, at: "third", nonce: service.hash("x"))
            ).expectError(.unknownProvider, 404)
        }
    }

    @Test("An app without a Services ID can ask a provider, and can't ask Apple")
    func withoutServicesID() async throws {
        let juice = App(
            id: "juice", name: "Juice", bundleIDs: [TestService.app], servicesID: nil, returnTargets: [.loopback])
        try await withService(webClient: nil, apps: [juice], providers: Self.providers) { client, service in
            let app = TestAuthorization(client: client, service: service)
            let apple = try await client.post("/v1/authorizations", json: app.request())
            try apple.expectError(.appUnknown, 400)
            #expect(apple.text.contains("has no Services ID"), "the app is known")
            let begun: RedirectAuthorizationAnswer = try await client.post(
                "/v1/authorizations", json: request(app, nonce: service.hash("x"))
            ).decode()
            #expect(try await client.page(app.path(of: begun)).status == .ok)
        }
    }
}
