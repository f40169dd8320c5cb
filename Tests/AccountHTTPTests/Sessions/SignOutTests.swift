import AccountAPI
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("Signing out of a browser", .eachEngine)
struct SignOutTests {
    @Test("The session ends and its cookie goes", arguments: [true, false])
    func signsOut(knowsFetchMetadata: Bool) async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
            let answer = try await client.post(
                "/sign-out", form: "", cookies: [cookie], site: knowsFetchMetadata ? "same-origin" : nil,
                origin: TestService.publicURL)
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/?signed-out")
            let next = try await client.page("/?signed-out")
            #expect(next.text.contains(">You are signed out</h1>") && next.text.contains(#"href="/sign-in/apple">"#))
            #expect(
                answer.headers[values: .setCookie] == [
                    "__Host-siwa-session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax"
                ])
            #expect(try await client.page("/account", cookies: [cookie]).status == .seeOther)
        }
    }

    @Test(
        "A form of another site's, or of an unknown one, signs nobody out",
        arguments: [
            ("cross-site", nil), ("same-site", nil), ("none", nil), ("", nil), ("Same-Origin", nil),
            ("cross-site", TestService.publicURL), (nil, nil), (nil, "null"), (nil, "https://evil.example"),
            (nil, "http://localhost:4010"), (nil, "http://127.0.0.1:4000"), (nil, "https://localhost:4000"),
        ] as [(String?, String?)]
    )
    func crossSite(site: String?, origin: String?) async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let answer = try await client.post("/sign-out", form: "", cookies: [cookie], site: site, origin: origin)
            answer.expectErrorPage(403, "That came from somewhere else")
            #expect(answer.headers[.setCookie] == nil)
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
        }
    }

    @Test("A program that posts the form is told in JSON")
    func crossSiteJSON() async throws {
        try await withService { client, _ in
            try await client.send(.post, "/sign-out").expectError(.crossSiteRequest, 403)
        }
    }

    @Test("The request's own Host isn't trusted")
    func host() async throws {
        try await withService { client, _ in
            let host = try #require(HTTPField.Name("Host"))
            try await client.send(
                .post, "/sign-out", [host: "evil.example", .origin: "http://evil.example"]
            ).expectError(.crossSiteRequest, 403)
        }
    }

    @Test("Signing out without a session succeeds", arguments: [[], ["__Host-siwa-session=nonsense"]])
    func notSignedIn(cookies: [String]) async throws {
        try await withService { client, _ in
            let answer = try await client.post("/sign-out", form: "", cookies: cookies, site: "same-origin")
            #expect(answer.status == .seeOther)
            #expect(answer.cookie("__Host-siwa-session") == "__Host-siwa-session=")
        }
    }

    @Test("An access token doesn't sign a browser out")
    func bearerOnPage() async throws {
        try await withService { client, service in
            let session = try await service.signInNatively(client).session
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let headers: HTTPFields = [.authorization: "Bearer \(session.accessToken)", site: "same-origin"]
            #expect(try await client.send(.post, "/sign-out", headers).status == .seeOther)
            let account = try await client.send(
                .get, "/v1/account", [.authorization: "Bearer \(session.accessToken)"])
            #expect(account.status == .ok)
        }
    }
}
