import AccountAPI
import AccountHTTP
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@Suite("Sign-in by Apple's script", .eachEngine)
struct ScriptSignInTests {
    private static let callback = "/sign-in/apple/callback"

    private struct Beginning: Decodable {
        let clientID: String
        let redirectURI: String
        let scope: String
        let state: String
        let nonce: String
    }

    private func withScript(
        _ mode: SignInScript = .popup, _ test: @Sendable (TestClient, TestService) async throws -> Void
    ) async throws {
        var configuration = AccountHTTPConfiguration.juice()
        configuration.signInScript = mode
        try await withService(configuration, test)
    }

    /// Does what the page's own script does on a click.
    private func begin(
        _ client: TestClient, _ query: String = "", cookies: [String] = []
    ) async throws -> (Beginning, cookie: String) {
        let answer = try await client.post("/sign-in/apple" + query, form: "", cookies: cookies, site: "same-origin")
        try #require(answer.status == .ok, "\(answer.text)")
        return (try answer.decode(Beginning.self), try #require(answer.cookie("__Host-siwa-browser")))
    }

    /// Johnny in the popup, and the form that the page makes of it.
    private func answerOfPopup(
        _ service: TestService, _ beginning: Beginning, _ changes: [String: any Sendable] = [:]
    ) async throws -> [String: String] {
        var order: [String: any Sendable] = [
            "person": "johnny", "clientID": beginning.clientID, "redirectURI": beginning.redirectURI,
            "scope": beginning.scope, "state": beginning.state, "nonce": beginning.nonce,
            "responseType": "code id_token", "responseMode": "web_message",
        ]
        order.merge(changes) { _, new in new }
        return try await service.apple.authorize(order)
    }

    private func post(_ client: TestClient, _ form: [String: String], cookies: [String]) async throws -> TestResponse {
        let text = form.map { "\($0)=\($1.addingPercentEncoding())" }.joined(separator: "&")
        return try await client.post(
            Self.callback, form: text, cookies: cookies, site: "same-origin", origin: TestService.publicURL)
    }

    @Test("The page names two scripts, and lets browsers run these two alone", arguments: SignInScript.allCases)
    func page(mode: SignInScript) async throws {
        try await withScript(mode) { client, _ in
            let answer = try await client.page("/")
            let scripts = answer.text.matches(of: /<script src="([^"]+)"/).map { String($0.1) }
            try #require(scripts.count == 2)
            let apple = TestService.emulatorURL + "/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js"
            #expect(scripts[0] == apple)
            #expect(answer.text.contains("data-mode=\"\(mode.rawValue)\""))
            let policy = try #require(answer.headers[.contentSecurityPolicy])
            let directives = policy.split(separator: ";").map { $0.drop { $0 == " " } }
            #expect(
                Set(directives) == [
                    "default-src 'none'", "script-src \(apple) \(TestService.publicURL)\(scripts[1])",
                    "connect-src \(TestService.publicURL)/sign-in/apple", "style-src 'self'", "img-src 'self'",
                    "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
                ])
            let own = try await client.send(.get, scripts[1])
            #expect(own.headers[.contentType] == "text/javascript; charset=utf-8")
            #expect(answer.text.contains(#"href="/sign-in/apple">"#), "without JavaScript it is the link that it was")
        }
    }

    @Test("Without an emulator, the script is Apple's own")
    func apple() async throws {
        var configuration = AccountHTTPConfiguration.juice(emulatorURL: nil)
        configuration.signInScript = .popup
        try await withService(configuration) { client, _ in
            let answer = try await client.page("/")
            let apple = "https://appleid.cdn-apple.com/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js"
            #expect(answer.text.contains("<script src=\"\(apple)\" defer>"))
            #expect(answer.headers[.contentSecurityPolicy]?.contains("script-src \(apple) http") == true)
        }
    }

    @Test("No other page has a script, and this page has none for a signed-in person")
    func otherPages() async throws {
        try await withScript { client, service in
            let session = try await service.signInWithBrowser(client)
            for path in ["/", "/account", "/nothing", "/device"] {
                let answer = try await client.page(path, cookies: [session])
                #expect(!answer.text.contains("<script"))
                #expect(answer.headers[.contentSecurityPolicy]?.contains("script-src") == false)
            }
        }
    }

    @Test("Unless configured, there is no script and no call for it")
    func unconfigured() async throws {
        try await withService { client, _ in
            #expect(try await !client.page("/").text.contains("<script"))
            let answer = try await client.post("/sign-in/apple", form: "", site: "same-origin")
            #expect(answer.status == .methodNotAllowed && answer.headers[.setCookie] == nil)
        }
    }

    @Test("The popup's answer makes a session, by the same callback as Apple's form")
    func signIn() async throws {
        try await withScript { client, service in
            let (beginning, cookie) = try await begin(client, "?return=/account?from=popup")
            #expect(beginning.clientID == TestService.web.rawValue)
            #expect(beginning.redirectURI == TestService.publicURL + Self.callback)
            #expect(beginning.scope == "name email")
            let form = try await answerOfPopup(service, beginning)
            #expect(Set(form.keys) == ["code", "id_token", "state", "user"])
            let answer = try await post(client, form, cookies: [cookie])
            #expect(answer.status == .seeOther && answer.headers[.location] == "/account?from=popup")
            let session = try #require(answer.cookie("__Host-siwa-session"))
            #expect(try await client.page("/account", cookies: [session]).text.contains("Johnny Appleseed"))
        }
    }

    @Test("The answer that begins a sign-in is for this site's page alone, and isn't cached")
    func sameOrigin() async throws {
        try await withScript { client, _ in
            for (site, origin) in [
                ("cross-site", "https://evil.example"), ("same-site", "http://localhost:4001"), ("none", nil),
                (nil, "https://evil.example"), (nil, "null"), (nil, nil),
            ] as [(String?, String?)] {
                let answer = try await client.post("/sign-in/apple", form: "", site: site, origin: origin)
                #expect(answer.status == .forbidden)
                #expect(answer.headers[.setCookie] == nil)
            }
            let answer = try await client.post("/sign-in/apple", form: "", site: "same-origin")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.header("Access-Control-Allow-Origin") == nil)
            let cookies = answer.headers[values: .setCookie]
            #expect(cookies.count == 1 && cookies[0].hasSuffix("Path=/; Secure; HttpOnly; SameSite=None"))
        }
    }

    @Test("Another browser, or one without its cookie, can't finish the sign-in")
    func otherBrowser() async throws {
        try await withScript { client, service in
            let (beginning, _) = try await begin(client)
            let (_, other) = try await begin(client)
            let form = try await answerOfPopup(service, beginning)
            let answer = try await post(client, form, cookies: [other])
            answer.expectErrorPage(403, "Another browser began this")
            #expect(answer.headers[.setCookie] == nil)
            let (second, _) = try await begin(client)
            try await post(client, try await answerOfPopup(service, second), cookies: [])
                .expectErrorPage(400, "Cookies are blocked")
        }
    }

    @Test("An unknown or empty state makes no session", arguments: ["foreign", ""])
    func foreignState(state: String) async throws {
        try await withScript { client, service in
            let (beginning, cookie) = try await begin(client)
            var form = try await answerOfPopup(service, beginning)
            form["state"] = state
            try await post(client, form, cookies: [cookie]).expectErrorPage(400, "This sign-in is over")
        }
    }

    @Test("An attempt accepts only the token with its own nonce")
    func foreignNonce() async throws {
        try await withScript { client, service in
            let (first, cookie) = try await begin(client)
            let (second, same) = try await begin(client, cookies: [cookie])
            #expect(same == cookie && first.nonce != second.nonce && first.state != second.state)
            var form = try await answerOfPopup(service, first)
            form["state"] = second.state
            let answer = try await post(client, form, cookies: [cookie])
            #expect(answer.status.kind == .clientError && answer.headers[.setCookie] == nil)
        }
    }

    @Test("A token is accepted only with its own code")
    func foreignCode() async throws {
        try await withScript { client, service in
            let (beginning, cookie) = try await begin(client)
            var form = try await answerOfPopup(service, beginning)
            form["code"] = try await answerOfPopup(service, beginning)["code"]
            let answer = try await post(client, form, cookies: [cookie])
            #expect(answer.status.kind == .clientError && answer.headers[.setCookie] == nil)
        }
    }

    @Test("An answer is accepted once, and for ten minutes")
    func replayAndLate() async throws {
        try await withScript { client, service in
            let (beginning, cookie) = try await begin(client)
            let form = try await answerOfPopup(service, beginning)
            #expect(try await post(client, form, cookies: [cookie]).status == .seeOther)
            try await post(client, form, cookies: [cookie]).expectErrorPage(400, "This sign-in is over")
            let (late, lateCookie) = try await begin(client)
            let lateForm = try await answerOfPopup(service, late)
            service.clock.advance(by: .seconds(601))
            try await post(client, lateForm, cookies: [lateCookie]).expectErrorPage(400, "This sign-in is over")
        }
    }

    @Test("Cancel spends the attempt and is a friendly page")
    func cancel() async throws {
        try await withScript { client, service in
            let (beginning, cookie) = try await begin(client)
            let form = try await answerOfPopup(service, beginning)
            let cancelled = ["error": "user_cancelled_authorize", "state": beginning.state]
            let answer = try await post(client, cancelled, cookies: [cookie])
            #expect(answer.status == .ok && answer.text.contains("Sign-in cancelled"))
            try await post(client, form, cookies: [cookie]).expectErrorPage(400, "This sign-in is over")
        }
    }

    @Test(
        "A return path to another site is refused",
        arguments: ["//evil.example", "https://evil.example", "/%5Cevil.example"])
    func returnPath(path: String) async throws {
        try await withScript { client, _ in
            let answer = try await client.post("/sign-in/apple?return=" + path, form: "", site: "same-origin")
            #expect(answer.status == .badRequest && answer.headers[.setCookie] == nil)
        }
    }
}
