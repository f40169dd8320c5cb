import AccountService
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AccountHTTP

@Suite("A browser's sign-in with another provider", .eachEngine)
struct ProviderPageTests {
    private static let providers = ["example", "query"]

    /// Sends a browser to a provider.
    private func begin(
        _ client: TestClient, at id: String = "example", session: String? = nil
    ) async throws -> (location: String, cookie: String) {
        let beginning = try await client.page("/sign-in/\(id)", cookies: session.map { [$0] } ?? [])
        #expect(beginning.status == .found)
        return (try #require(beginning.headers[.location]), try #require(beginning.cookie("__Host-siwa-browser")))
    }

    private func signIn(_ client: TestClient, _ service: TestService) async throws -> String {
        let (location, cookie) = try await begin(client)
        let answer = try await client.post(
            "/sign-in/example/callback", form: formText(service.providers[0].authorize(at: location)),
            cookies: [cookie], site: "cross-site", origin: "https://example.example.com")
        #expect(answer.status == .seeOther && answer.headers[.location] == "/account")
        return try #require(answer.cookie("__Host-siwa-session"), "\(answer.text)")
    }

    @Test("The start page has a button for each provider, below Apple's, and the account page names the provider")
    func pages() async throws {
        try await withService(providers: Self.providers) { client, service in
            let page = try await client.page("/").text
            let apple = try #require(page.range(of: #"href="/sign-in/apple""#))
            let example = try #require(page.range(of: #"href="/sign-in/example""#))
            #expect(apple.lowerBound < example.lowerBound)
            #expect(page.contains(">Sign in with Example</a>") && page.contains(">Sign in with Query</a>"))
            let session = try await signIn(client, service)
            let account = try await client.page("/account", cookies: [session]).text
            #expect(account.contains("with Example"))
        }
    }

    @Test("A form or a query completes the attempt once, and a prefetch doesn't")
    func callbacks() async throws {
        try await withService(providers: Self.providers) { client, service in
            _ = try await signIn(client, service)
            let (location, cookie) = try await begin(client, at: "query")
            let path = "/sign-in/query/callback?" + formText(service.providers[1].authorize(at: location))
            #expect(try await client.send(.head, path, [.cookie: cookie]).status == .noContent)
            let purpose = try #require(HTTPField.Name("Sec-Purpose"))
            let ahead = try await client.send(.get, path, [.cookie: cookie, purpose: "prefetch;prerender"])
            #expect(ahead.status == .serviceUnavailable && ahead.headers[.vary]?.contains("Sec-Purpose") == true)
            for older in ["Purpose", "X-Moz"] {
                let name = try #require(HTTPField.Name(older))
                let answer = try await client.send(.get, path, [.cookie: cookie, name: "prefetch"])
                #expect(answer.status == .serviceUnavailable, "\(older)")
            }
            #expect(service.providers[1].exchanges == 0)
            let answer = try await client.page(path, cookies: [cookie])
            #expect(answer.status == .seeOther && answer.headers[.location] == "/account")
            #expect(answer.cookie("__Host-siwa-session") != nil)
            try await client.page(path, cookies: [cookie]).expectErrorPage(400, "This sign-in is over")
        }
    }

    @Test("An answer at another provider's callback, without the cookie or after a refusal makes no session")
    func refusals() async throws {
        try await withService(providers: Self.providers) { client, service in
            let (location, cookie) = try await begin(client)
            let fields = formText(service.providers[0].authorize(at: location))
            let elsewhere = try await client.post(
                "/sign-in/query/callback", form: fields, cookies: [cookie], site: "cross-site")
            elsewhere.expectErrorPage(400, "This sign-in is over")
            let apple = try await client.post(
                "/sign-in/apple/callback", form: fields, cookies: [cookie], site: "cross-site")
            #expect(apple.cookie("__Host-siwa-session") == nil && apple.status != .seeOther)
            let bare = try await client.post("/sign-in/example/callback", form: fields, site: "cross-site")
            bare.expectErrorPage(400, "Cookies are blocked")
            #expect(service.providers[0].exchanges == 0)
            // Nothing of it has used the attempt up.
            let good = try await client.post(
                "/sign-in/example/callback", form: fields, cookies: [cookie], site: "cross-site")
            #expect(good.cookie("__Host-siwa-session") != nil)

            let (second, other) = try await begin(client)
            let no = try await client.post(
                "/sign-in/example/callback", form: formText(service.providers[0].refuse(at: second)), cookies: [other],
                site: "cross-site")
            #expect(no.status == .ok && no.text.contains("Sign-in cancelled"))
            let (third, same) = try await begin(client, session: try await signIn(client, service))
            let back = try await client.post(
                "/sign-in/example/callback", form: formText(service.providers[0].refuse(at: third)), cookies: [same],
                site: "cross-site")
            #expect(back.status == .seeOther && back.headers[.location] == "/account", "\(back.text)")
            service.providers[1].isDown = true
            let down = try await client.page("/sign-in/query")
            down.expectErrorPage(503, "The other site can’t be reached")
        }
    }

    @Test("A browser that another site has sent, or that is signed in, lets its person choose")
    func choice() async throws {
        try await withService(providers: Self.providers) { client, service in
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let values: [(String?, Bool)] = [
                ("cross-site", true), ("same-site", true), (nil, true), ("same-origin", false), ("none", false),
            ]
            for (value, asks) in values {
                let answer = try await client.send(.get, "/sign-in/example", value.map { [site: $0] } ?? [:])
                let location = try #require(answer.headers[.location])
                #expect(location.contains("prompt=select_account") == asks, "\(value ?? "nothing")")
            }
            let (location, _) = try await begin(client, session: try await signIn(client, service))
            #expect(location.contains("prompt=select_account"))
        }
    }

    @Test("The pages that want a fresh proof lead to the provider, and back to a deletion")
    func proofs() async throws {
        try await withService(providers: Self.providers) { client, service in
            let session = try await signIn(client, service)
            service.clock.advance(by: .minutes(6))
            let export = try await client.page("/account/export", cookies: [session]).text
            #expect(export.contains(#"action="/reauthenticate/example""#) && !export.contains("Continue with Apple"))
            let proof = try await client.post(
                "/reauthenticate/example", form: "return=%2Faccount%2Fexport", cookies: [session],
                site: "same-origin", origin: TestService.publicURL)
            #expect(proof.status == .ok && proof.header("Refresh")?.contains("https://example.example.com") == true)
            let question = try await client.page("/account/delete", cookies: [session]).text
            #expect(question.contains("Continue with Example and delete"))
            let leaving = try await client.post(
                "/account/delete", form: "", cookies: [session], site: "same-origin", origin: TestService.publicURL)
            let refresh = try #require(leaving.header("Refresh"))
            let location = String(refresh.dropFirst("0; url=".count))
            let cookie = try #require(leaving.cookie("__Host-siwa-browser"))
            let answer = try await client.post(
                "/sign-in/example/callback", form: formText(service.providers[0].authorize(at: location)),
                cookies: [cookie], site: "cross-site")
            #expect(answer.headers[.location]?.hasPrefix("/deletions/del_") == true)
            #expect(try await client.page("/account", cookies: [session]).status == .seeOther)
        }
    }
}
