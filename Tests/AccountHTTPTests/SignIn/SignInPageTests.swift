import AccountAPI
import AccountService
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AccountHTTP

@Suite("The way to Apple")
struct SignInPageTests {
    @Test("The first page shows the button and the emulator's address")
    func page() async throws {
        try await withService { client, _ in
            let answer = try await client.page("/")
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
            #expect(answer.headers[.setCookie] == nil)
            #expect(answer.text.contains("Sign in to Juice"))
            #expect(answer.text.contains(#"href="/sign-in/apple">"#))
            #expect(answer.text.contains(TestService.emulatorURL))
        }
    }

    @Test("The button looks as configured")
    func button() async throws {
        let configuration = AccountHTTPConfiguration(
            appName: "Juice", button: AppleButton(style: .outlined, title: .continue, cornerRadius: 0))
        try await withService(configuration) { client, _ in
            let html = try await client.page("/").text
            #expect(html.contains("apple-outlined") && html.contains("Continue with Apple"))
            #expect(!html.contains("emulator"))
        }
    }

    @Test("A signed-in person sees a link to the account")
    func signedIn() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let html = try await client.page("/", cookies: [cookie]).text
            #expect(html.contains("Continue to your account") && html.contains("Johnny Appleseed"))
        }
    }

    @Test("The button leads to Apple, with a cookie that names the browser")
    func begin() async throws {
        try await withService { client, _ in
            let answer = try await client.page("/sign-in/apple")
            #expect(answer.status == .found)
            let location = try #require(answer.headers[.location])
            #expect(location.hasPrefix(TestService.emulatorURL + "/auth/authorize?"))
            #expect(location.contains("response_mode=form_post"))
            #expect(location.contains("redirect_uri=http%3A%2F%2Flocalhost%3A4000%2Fsign-in%2Fapple%2Fcallback"))
            let cookies = answer.headers[values: .setCookie]
            #expect(cookies.count == 1)
            #expect(
                cookies[0].contains(
                    #/^__Host-siwa-browser=[A-Za-z0-9_-]{43}; Max-Age=1020; Path=/; Secure; HttpOnly; SameSite=None$/#))
        }
    }

    @Test("Two tabs share the browser's cookie; an invalid value is replaced")
    func twoTabs() async throws {
        try await withService { client, _ in
            let name = "__Host-siwa-browser"
            let first = try #require(try await client.page("/sign-in/apple").cookie(name))
            #expect(try await client.page("/sign-in/apple", cookies: [first]).cookie(name) == first)
            for cookies in [[name + "=x"], [first, first], [first, name + "=x"]] {
                let answer = try await client.page("/sign-in/apple", cookies: cookies)
                #expect(answer.status == .found)
                #expect(answer.cookie(name) != first && answer.cookie(name) != name + "=x")
            }
        }
    }

    @Test(
        "The return path is a path of this site", arguments: ["/account", "/", "/a/b?c=d%26e", "/account?x=%2F%2Fevil"])
    func returnPath(path: String) async throws {
        try await withService { client, service in
            let query = "return=" + path.addingPercentEncoding()
            let answer = try await service.completeSignIn(client, begunAt: "/sign-in/apple?" + query)
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == path)
        }
    }

    @Test(
        "A return path to another site is refused",
        arguments: [
            "return=https://evil.example", "return=//evil.example", "return=/%5Cevil.example", "return=%2F%2Fevil",
            "return=", "return=account", "return=/a%0d%0ab", "return=/%09/evil.example", "return=/a&return=/b",
            "return=%", "return=/%ff", "return=/%00",
        ]
    )
    func wrongReturnPath(query: String) async throws {
        try await withService { client, _ in
            let answer = try await client.send(.get, "/sign-in/apple?" + query)
            try answer.expectError(.invalidRequest, 400, field: "return")
            #expect(answer.headers[.setCookie] == nil && answer.headers[.location] == nil)
            try await client.page("/sign-in/apple?" + query).expectErrorPage(400, "We couldn’t read that request")
        }
    }

    @Test(
        "A page that requires a sign-in comes back after it",
        arguments: [
            ("/account", "/account"), ("/account/sessions", "/account/sessions"),
            ("/account/export", "/account/export"), ("/account/delete", "/account/delete"),
            ("/account/sessions/end-others", "/account/sessions/end-others"),
            ("/account/export/file", "/account/export"),
            ("/account/sessions?before=ses_1&x=%26", "/account/sessions%3Fbefore%3Dses_1%26x%3D%2526"),
        ])
    func deepLink(asked: String, kept: String) async throws {
        try await withService { client, service in
            let refused = try await client.page(asked)
            #expect(refused.status == .seeOther && refused.headers[.location] == "/?return=" + kept)
            let start = try await client.page("/?return=" + kept)
            let link = asked == "/account" ? "/sign-in/apple" : "/sign-in/apple?return=" + kept
            #expect(start.text.contains(#"href="\#(link)">"#))
            let done = try await service.completeSignIn(client, begunAt: link)
            #expect(done.headers[.location] == (asked.hasSuffix("/file") ? "/account/export" : asked))
        }
    }

    @Test(
        "A form of a session that is over comes back to its page",
        arguments: [
            ("/account/sessions/ses_1/end", "/?return=/account/sessions"),
            ("/account/sessions/end-others", "/?return=/account/sessions"),
            ("/account/delete", "/?return=/account/delete"), ("/reauthenticate/apple", "/"),
            ("/account/links/apple", "/?return=/account/links"),
            ("/account/links/idn_1/remove", "/?return=/account/links"),
            ("/account/merge", "/?return=/account/merge"), ("/account/merge/confirm", "/?return=/account/merge"),
        ])
    func formOfNobody(path: String, location: String) async throws {
        try await withService { client, _ in
            let answer = try await client.post(path, form: "", site: "same-origin")
            #expect(answer.status == .seeOther && answer.headers[.location] == location)
        }
    }

    @Test(
        "The start page refuses a return path to another site, too",
        arguments: ["return=//evil.example", "return=https://evil.example", "return=/%5Cevil.example", "return="])
    func wrongReturnPathAtStart(query: String) async throws {
        try await withService { client, _ in
            try await client.send(.get, "/?" + query).expectError(.invalidRequest, 400, field: "return")
        }
    }

    @Test("A signed-in person sees a link to the page that they asked for")
    func signedInReturn() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let html = try await client.page("/?return=/account/sessions", cookies: [cookie]).text
            #expect(html.contains(#"href="/account/sessions">Continue</a>"#))
        }
    }
}

@Suite("A service for apps alone")
struct AppOnlyServiceTests {
    @Test("has a start page without a button, which says where to sign in")
    func startPage() async throws {
        var configuration = AccountHTTPConfiguration.juice()
        configuration.signInScript = .popup
        try await withService(configuration, webClient: nil, apps: []) { client, _ in
            let answer = try await client.page("/")
            #expect(answer.status == .ok)
            #expect(answer.text.contains(#"<h1 id="heading">Juice</h1>"#))
            #expect(answer.text.contains("Sign in with Apple in the app."))
            #expect(!answer.text.contains("apple-button") && !answer.text.contains("/sign-in/apple"))
            #expect(!answer.text.contains("<script"))
        }
    }

    @Test(
        "has no page that leads to Apple",
        arguments: [
            "GET /sign-in/apple", "POST /sign-in/apple", "POST /sign-in/apple/callback", "POST /reauthenticate/apple",
            "GET /account/delete", "POST /account/delete", "GET /account/export", "GET /account/export/file",
            "GET /device", "POST /device", "POST /device/allow", "GET /authorizations/aut_1",
        ])
    func routes(route: String) async throws {
        let words = route.split(separator: " ").map(String.init)
        var configuration = AccountHTTPConfiguration.juice()
        configuration.signInScript = .popup
        try await withService(configuration, webClient: nil, apps: []) { client, _ in
            let answer =
                words[0] == "GET"
                ? try await client.page(words[1]) : try await client.post(words[1], form: "", site: "same-origin")
            answer.expectErrorPage(404, "Page not found")
        }
    }

    @Test("signs people in by app, and sends a browser that asks for the account to the start page")
    func native() async throws {
        try await withService(webClient: nil, apps: []) { client, service in
            _ = try await service.signInNatively(client)
            #expect(try await client.page("/account").headers[.location] == "/?return=/account")
            #expect(try await client.page("/?return=/account").status == .ok)
        }
    }

    @Test("keeps the pages of apps that sign in through the browser by a Services ID of their own")
    func authorizations() async throws {
        try await withService(webClient: nil) { client, _ in
            #expect(try await client.page("/device").status == .ok)
            #expect(try await client.page("/sign-in/apple").status == .notFound)
            try await client.send(
                .post, "/sign-in/apple/callback", [.contentType: "application/x-www-form-urlencoded"],
                body: .init(string: "state=x")
            ).expectError(.attemptUnknown, 400)
        }
    }

    @Test("shows the account to a browser whose session is older, without what needs Apple")
    func olderSession() throws {
        let pages = try PageRenderer(
            configuration: .juice(), publicURL: PublicURL(TestService.publicURL), hasWebSignIn: false)
        let account = Account(
            id: AccountID(rawValue: "acc_1"), name: nil, email: nil, emailVerified: false, isPrivateEmail: false,
            createdAt: Timestamp(secondsSince1970: 1_795_000_000))
        let html = pages.account(account)
        #expect(html.contains("/account/sessions") && html.contains("/sign-out"))
        #expect(!html.contains("/account/export") && !html.contains("/account/delete"))
    }
}

extension String {
    /// Encodes everything but letters, digits and a few marks.
    func addingPercentEncoding() -> String {
        utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            let isPlain =
                scalar.properties.isAlphabetic && byte < 128 || "0123456789-_.~".unicodeScalars.contains(scalar)
            return isPlain ? String(Character(scalar)) : "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
