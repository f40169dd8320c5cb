import AccountService
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AccountHTTP

@Suite("The pages of a link and a proof at another provider", .eachEngine)
struct ProviderLinkPageTests {
    private static let providers = ["example", "other"]

    /// Brings a browser back from a provider, to which a page has led it.
    private func comeBack(
        _ client: TestClient, _ service: TestService, from leaving: TestResponse, at index: Int = 0,
        _ person: TestOpenIDProvider.Person = .init()
    ) async throws -> TestResponse {
        let refresh = leaving.header("Refresh").map { String($0.dropFirst("0; url=".count)) }
        let location = try #require(leaving.headers[.location] ?? refresh, "\(leaving.text)")
        return try await client.post(
            "/sign-in/\(Self.providers[index])/callback",
            form: formText(service.providers[index].authorize(person, at: location)),
            cookies: [try #require(leaving.cookie("__Host-siwa-browser"))], site: "cross-site")
    }

    private func signIn(
        _ client: TestClient, _ service: TestService, _ person: TestOpenIDProvider.Person = .init()
    ) async throws -> String {
        let answer = try await comeBack(client, service, from: try await client.page("/sign-in/example"), person)
        return try #require(answer.cookie("__Host-siwa-session"), "\(answer.text)")
    }

    @Test("A person of another account is named by their provider, and not as an Apple Account")
    func conflict() async throws {
        try await withService(providers: Self.providers) { client, service in
            _ = try await signIn(client, service, .init("person-2"))
            let cookie = try await signIn(client, service)
            let leaving = try await client.form("/account/links/providers/example", [:], cookies: [cookie])
            let page = try await comeBack(client, service, from: leaving, .init("person-2")).text
            #expect(page.contains("That Example account has an account of its own"), "\(page)")
            #expect(page.contains(#"name="handle""#) && !page.contains("Apple Account"))
        }
    }

    @Test("A merge names the ways in by their providers, and takes an account that has no Apple Account")
    func merge() async throws {
        try await withService(providers: Self.providers) { client, service in
            _ = try await signIn(client, service, .init("person-2"))
            let cookie = try await signIn(client, service)
            let leaving = try await client.form("/account/links/providers/example", [:], cookies: [cookie])
            let conflict = try await comeBack(client, service, from: leaving, .init("person-2")).text
            let found = conflict.firstMatch(
                of: /action="\/account\/merge"><input type="hidden" name="handle" value="(.{43})"/)
            let handle = try #require(found.map { String($0.1) }, "\(conflict)")
            let cookies = [cookie, try #require(leaving.cookie("__Host-siwa-browser"))]
            let question = try await client.form("/account/merge", ["handle": handle], cookies: cookies)
            #expect(question.status == .ok && question.text.contains("<li>Sign in with Example"), "\(question.text)")
            let plan = question.text.firstMatch(of: /name="plan" value="(?<plan>[A-Za-z0-9_-]{43})"/)
            let fields = ["handle": handle, "plan": try #require(plan.map { String($0.plan) })]
            let done = try await client.form("/account/merge/confirm", fields, cookies: cookies)
            #expect(done.status == .ok, "\(done.text)")
            #expect(try await service.store.accountCount() == 1)
        }
    }

    @Test("A link that lacks consent comes back to the form of its provider")
    func consent() async throws {
        try await withService(providers: Self.providers) { client, service in
            let cookie = try await service.signInWithBrowser(client, hideEmail: true)
            let leaving = try await client.form("/account/links/providers/other", [:], cookies: [cookie])
            let answer = try await comeBack(client, service, from: leaving, at: 1)
            #expect(answer.headers[.location] == "/account/links?consent=other", "\(answer.text)")
            let page = try await client.page("/account/links?consent=other", cookies: [cookie]).text
            #expect(page.contains("We need your consent before we add your Other account."), "\(page)")
            #expect(page.contains(#"id="consent-problem-other""#))
            #expect(!page.contains(#"id="consent-problem-apple""#) && !page.contains("consent-problem-example"))
            let unknown = try await client.page("/account/links?consent=%3Cb%3E", cookies: [cookie]).text
            #expect(!unknown.contains("<b>") && unknown.contains("before we add that Apple Account."))
        }
    }

    @Test("The list of sessions and the question about a consent name a way in by its provider, not as a link by mail")
    func names() async throws {
        try await withService(providers: Self.providers) { client, service in
            let cookie = try await service.signInWithBrowser(client, hideEmail: true)
            let leaving = try await client.form(
                "/account/links/providers/other", ["consent": "2"], cookies: [cookie])
            let linked = try await comeBack(client, service, from: leaving, at: 1)
            #expect(linked.headers[.location] == "/account/links?added", "\(linked.text)")
            let beginning = try await client.page("/sign-in/other")
            let signedIn = try await comeBack(client, service, from: beginning, at: 1)
            #expect(signedIn.cookie("__Host-siwa-session") != nil, "\(signedIn.text)")
            let sessions = try await client.page("/account/sessions", cookies: [cookie]).text
            #expect(sessions.contains(", Sign in with Other</span>"), "\(sessions)")
            #expect(sessions.contains(", Sign in with Apple</span>") && !sessions.contains("Link by mail"))

            let list = try await client.page("/account/consents", cookies: [cookie]).text
            let path = try #require(list.firstMatch(of: /href="(\/account\/consents\/con_\w+\/withdraw)"/)).1
            let question = try await client.page(String(path), cookies: [cookie]).text
            #expect(question.contains("<strong>Sign in with Other</strong>"), "\(question)")
            #expect(!question.contains("Link by mail"))
        }
    }

    @Test("A proof or a link that fails changes nothing, and leads back to where it began")
    func failures() async throws {
        try await withService(providers: Self.providers) { client, service in
            let cookie = try await signIn(client, service)
            let linking = try await client.form("/account/links/providers/other", [:], cookies: [cookie])
            let away = String(try #require(linking.header("Refresh")).dropFirst("0; url=".count))
            var fields = service.providers[1].refuse(at: away)
            fields[0].value = "server_error"
            let link = try await client.post(
                "/sign-in/other/callback", form: formText(fields),
                cookies: [try #require(linking.cookie("__Host-siwa-browser"))], site: "cross-site")
            link.expectErrorPage(400, "Sign-in didn’t work")
            #expect(link.text.contains(#"href="/account/links""#) && !link.text.contains("You are not signed in"))

            service.clock.advance(by: .minutes(6))
            let proving = try await client.form(
                "/reauthenticate/example", ["return": "/account/export"], cookies: [cookie])
            let proof = try await comeBack(client, service, from: proving, .init("person-2"))
            proof.expectErrorPage(403, "That was another account")
            #expect(proof.text.contains(#"href="/account/export""#) && !proof.text.contains("Apple Account"))
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
        }
    }
}
