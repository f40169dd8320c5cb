import AccountAPI
import AccountService
import Foundation
import HTTPTypes
import HummingbirdTesting
import OpenIDConnect
import Testing

@testable import AccountHTTP

@Suite("Calls with another provider's token", .eachEngine)
struct ProviderCallTests {
    private static let providers = ["example", "other"]

    private func request(
        _ service: TestService, _ person: TestOpenIDProvider.Person = .init(), at index: Int = 0
    ) throws -> ProviderSignInRequest {
        let nonce = UUID().uuidString
        return ProviderSignInRequest(
            identityToken: try service.providers[index].token(person, nonce: service.hash(nonce)), nonce: nonce)
    }

    @Test("An app signs its person in, links, proves and removes")
    func calls() async throws {
        try await withService(providers: Self.providers) { client, service in
            let answer = try await client.post("/v1/sign-in/example", json: request(service))
            try #require(answer.status == .ok, "\(answer.text)")
            let signedIn: SignInAnswer = try answer.decode()
            #expect(signedIn.isNewAccount && signedIn.account.email == "ann@example.org")
            #expect(signedIn.account.appleAccess == nil, "Apple knows nothing of the person")
            let ways = WaysInBody(apple: false, email: nil, hasPassword: false, providers: ["example"])
            #expect(signedIn.account.waysIn == ways)
            let token = signedIn.session.accessToken
            let headers: HTTPFields = [.authorization: "Bearer \(token)"]

            let sessions = try await client.send(.get, "/v1/sessions", headers).decode(SessionListAnswer.self)
            #expect(sessions.sessions.map(\.appName) == ["Juice"], "no name of the client at the provider")

            service.clock.advance(by: .seconds(1))
            let challenge = try await service.challenge(client, for: "link", token: token)
            let body = ProviderLinkRequest(
                identityToken: try service.providers[1].token(nonce: challenge), nonce: challenge)
            let linked = try await client.post("/v1/link/other", json: body, token: token)
            try #require(linked.status == .ok, "\(linked.text)")
            let links = try linked.decode(LinkListAnswer.self).links
            #expect(links.map(\.provider) == ["example", "other"] && links.map(\.current) == [true, false])
            let account = try await client.send(.get, "/v1/account", headers).decode(AccountAnswer.self).account
            #expect(account.appleAccess == nil && account.waysIn?.providers == ["example", "other"])
            let export = try await client.send(.get, "/v1/account/export", headers).decode(AccountExportAnswer.self)
            #expect(export.identities.map(\.provider) == ["example", "other"])
            #expect(export.identities.map(\.team) == service.providers.map(\.issuer))
            #expect(export.identities.allSatisfy { $0.appleAccess == nil && $0.lastAuthorizedAt == nil })
            #expect(links.allSatisfy { $0.team == nil && !$0.isPrivateEmail && !$0.hasPassword })

            service.clock.advance(by: .seconds(301))
            try await client.send(.delete, "/v1/account", headers).expectError(.requiresRecentLogin, 403)
            let proof = try await service.challenge(client, for: "reauthenticate", token: token)
            let wrong = ProviderReauthenticationRequest(
                identityToken: try service.providers[0].token(.init("person-2"), nonce: proof), nonce: proof)
            try await client.post("/v1/reauthenticate/example", json: wrong, token: token)
                .expectError(.credentialMismatch, 403)
            let right = ProviderReauthenticationRequest(
                identityToken: try service.providers[0].token(nonce: proof), nonce: proof)
            let renewed = try await client.post("/v1/reauthenticate/example", json: right, token: token)
            #expect(renewed.status == .ok)
            let removed = try await client.send(.delete, "/v1/links/\(links[1].id)", headers)
            #expect(try removed.decode(UnlinkAnswer.self).links.map(\.provider) == ["example"])
            #expect(try await client.send(.delete, "/v1/account", headers).status == .accepted)
        }
    }

    @Test("A token that proves nothing is refused, and a provider that is away says when to try again")
    func refusals() async throws {
        try await withService(providers: Self.providers) { client, service in
            var wrong = try request(service)
            wrong.nonce = String(repeating: "n", count: 32)
            try await client.post("/v1/sign-in/example", json: wrong).expectError(.invalidProviderToken, 401)
            let good = try request(service)
            try await client.post("/v1/sign-in/other", json: good).expectError(.invalidProviderToken, 401)
            #expect(try await client.post("/v1/sign-in/example", json: good).status == .ok)
            try await client.post("/v1/sign-in/example", json: good).expectError(.tokenAlreadyUsed, 401)
            try await client.post("/v1/sign-in/third", json: good).expectError(.unknownProvider, 404)
            try await client.post("/v1/sign-in/password", json: good).expectError(.passwordsOff, 404)
            try await client.post("/v1/sign-in/callback", json: good).expectError(.notFound, 404)
        }
        try await withService(providers: Self.providers) { client, service in
            service.providers[0].isDown = true
            let answer = try await client.post("/v1/sign-in/example", json: request(service))
            try answer.expectError(.providerUnavailable, 503)
            #expect(answer.header("Retry-After") == "60")
        }
    }

    @Test("Without other providers the routes aren't there")
    func off() async throws {
        try await withService { client, service in
            for path in ["/v1/sign-in/example", "/v1/link/example", "/v1/reauthenticate/example"] {
                try await client.post(path, json: "{}").expectError(.notFound, 404)
            }
            #expect(try await client.page("/sign-in/example").status == .notFound)
        }
    }

    @Test("No provider can have the text of a literal route as its id")
    func reserved() {
        let paths = Route.table.flatMap(\.routes).map { $0.path.split(separator: "/") }
        let prefixes =
            paths.filter { $0.last == "{provider}" }.map { $0.dropLast() }
            + paths.filter { $0.suffix(2) == ["{provider}", "callback"] }.map { $0.dropLast(2) }
        let literals = paths.flatMap { path in
            prefixes.filter { path.count > $0.count && path.starts(with: $0) }.map { String(path[$0.count]) }
        }
        #expect(Set(literals).subtracting(["{provider}"]).isSubset(of: Providers.reservedIDs))
        #expect(literals.contains("link") && literals.contains("password"))
    }
}
