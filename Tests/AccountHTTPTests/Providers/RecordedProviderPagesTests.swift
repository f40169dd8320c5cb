import AccountAPI
import AccountService
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AccountHTTP

/// `Recorded/pages-providers.txt` holds the pages of sign-in with other providers, as `RecordedPagesTests` holds the others.
@Suite("Pages of other providers")
struct RecordedProviderPagesTests {
    private func location(_ answer: TestResponse) throws -> String {
        String(try #require(answer.header("Refresh")).dropFirst("0; url=".count))
    }

    @Test("are those recorded")
    func pages() async throws {
        try await withService(providers: ["google", "example"]) { client, service in
            var log = PageLog(client: client)
            let google = service.providers[0]
            try await log.page("/")
            let beginning = try await log.page("/sign-in/google")
            let browser = try #require(beginning.cookie("__Host-siwa-browser"))
            let fields = google.authorize(.init(givenName: "Ann"), at: try #require(beginning.headers[.location]))
            let signedIn = try await log.form(
                "/sign-in/google/callback", formText(fields), cookies: [browser], site: "cross-site")
            let cookie = try #require(signedIn.cookie("__Host-siwa-session"))
            try await log.page("/account", cookies: [cookie])
            try await log.page("/account/links", cookies: [cookie])
            // Both ways in are listed by the second in which they were added.
            service.clock.advance(by: .seconds(1))
            let linking = try await log.form("/account/links/providers/example", "", cookies: [cookie])
            let other = service.providers[1].authorize(at: try location(linking))
            try await log.form(
                "/sign-in/example/callback", formText(other),
                cookies: [try #require(linking.cookie("__Host-siwa-browser"))],
                site: "cross-site")
            let links = try await log.page("/account/links?linked", cookies: [cookie])
            let removal = try #require(
                links.text.matches(of: /href="(?<path>\/account\/links\/[^"]*\/remove)"/).last.map { String($0.path) })
            try await log.page(removal, cookies: [cookie])
            service.clock.advance(by: .seconds(400))
            try await log.page("/account/links", cookies: [cookie])
            try await log.page("/account/export", cookies: [cookie])
            try await log.form("/reauthenticate/google", "return=/account/export", cookies: [cookie])
            try await log.page("/account/delete", cookies: [cookie])
            try Recording.expect("pages-providers", log.text)
        }
    }

    @Test("of links that fail are those recorded")
    func links() async throws {
        try await withService(providers: ["google", "example"]) { client, service in
            var log = PageLog(client: client)
            let nonce = UUID().uuidString
            let other = ProviderSignInRequest(
                identityToken: try service.providers[1].token(nonce: service.hash(nonce)), nonce: nonce)
            #expect(try await client.post("/v1/sign-in/example", json: other).status == .ok)
            let cookie = try await service.signInWithBrowser(client, hideEmail: true)
            for (consent, person) in [("", "person-2"), ("consent=2", "person-1")] {
                let linking = try await log.form("/account/links/providers/example", consent, cookies: [cookie])
                let fields = service.providers[1].authorize(.init(person), at: try location(linking))
                let answer = try await log.form(
                    "/sign-in/example/callback", formText(fields),
                    cookies: [try #require(linking.cookie("__Host-siwa-browser"))], site: "cross-site")
                guard let path = answer.headers[.location] else { continue }
                try await log.page(path, cookies: [cookie])
            }
            try Recording.expect("pages-providers-links", log.text)
        }
    }

    @Test("of an app's authorization are those recorded")
    func authorizations() async throws {
        try await withService(providers: ["google"]) { client, service in
            var log = PageLog(client: client)
            let app = TestAuthorization(client: client, service: service)
            var request = app.request()
            (request.provider, request.nonce) = ("google", service.hash("a nonce"))
            let begun: RedirectAuthorizationAnswer = try await client.post("/v1/authorizations", json: request).decode()
            let path = app.path(of: begun)
            try await log.page(path)
            let leaving = try await log.form(path, "")
            let cookie = try #require(leaving.cookie("__Host-siwa-browser"))
            let end = try await log.form(
                "/sign-in/google/callback", formText(service.providers[0].authorize(at: try location(leaving))),
                cookies: [cookie], site: "cross-site")
            try await log.page(try #require(end.headers[.location]), cookies: [cookie])
            try Recording.expect("pages-providers-authorizations", log.text)
        }
    }

    @Test("have a picture for the providers whose mark is known, and none for another")
    func marks() async throws {
        try await withService(providers: ["google", "microsoft", "facebook", "example"]) { client, _ in
            let page = try await client.page("/").text
            for (name, isKnown) in [("google", true), ("microsoft", true), ("facebook", true), ("example", false)] {
                let picture = #/<a class="button" href="/sign-in/(?<id>[a-z]+)"><img class="mark" src="(?<path>[^"]+)"/#
                let path = page.matches(of: picture).first { $0.id == name }.map { String($0.path) }
                #expect((path != nil) == isKnown, "\(name)")
                guard let path else { continue }
                let image = try await client.page(path)
                #expect(image.status == .ok && image.headers[.contentType] == "image/svg+xml")
                #expect(image.text.contains("Apache License 2.0") && !image.text.contains("<script"))
            }
        }
    }
}
