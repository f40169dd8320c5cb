import AccountAPI
import AccountService
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AccountHTTP

@Suite("The pages of a sign-in with an address", .eachEngine)
struct PasswordPageTests {
    @Test("Sign up, open the link, repeat the password, and be signed in")
    func signUp() async throws {
        try await withPasswords { client, service in
            let page = try await client.page("/sign-up")
            #expect(page.status == .ok && page.headers[.cacheControl] == "no-store")
            #expect(page.text.contains(#"autocomplete="new-password" passwordrules="minlength: 15; maxlength: 128;""#))
            #expect(page.text.contains(#"autocomplete="username""#) && !page.text.contains("<script"))
            let asked = try await client.form(
                "/sign-up",
                ["email": " Ann@example.com ", "newPassword": TestPassword.good, "givenName": "Ann", "familyName": ""])
            #expect(asked.status == .seeOther && asked.headers[.location] == "/sign-up?sent")
            let browser = try #require(asked.cookie("__Host-siwa-browser"))
            #expect(try await client.page("/sign-up?sent").text.contains("Check your mail"))

            let link = try await service.link(.signUp)
            for _ in 0..<2 {
                let question = try await client.page(link, cookies: [browser])
                #expect(question.status == .ok && question.text.contains("Ann<wbr>@example.com"))
                #expect(question.text.contains(#"method="post" action="\#(link)""#))
                #expect(question.text.contains(#"autocomplete="current-password""#))
                #expect(question.headers[values: .setCookie] == [])
            }
            #expect(try await client.send(.head, link).status == .ok)
            let wrong = try await client.form(link, ["password": TestPassword.wrong], cookies: [browser])
            #expect(wrong.status == .unauthorized && wrong.text.contains("The password is wrong."))
            #expect(wrong.headers[.wwwAuthenticate] == "Bearer" && !wrong.text.contains(TestPassword.wrong))

            let done = try await client.form(link, ["password": TestPassword.good], cookies: [browser])
            #expect(done.status == .seeOther && done.headers[.location] == "/account")
            let cookie = try #require(done.cookie("__Host-siwa-session"))
            let account = try await client.page("/account", cookies: [cookie]).text
            #expect(account.contains("Ann") && account.contains("with your email address</p>"))
            #expect(account.contains("Your email address and a password"))
            #expect(account.contains(#"href="/account/password""#) && account.contains(#"href="/account/upgrade""#))
            #expect(!account.contains("Apple hasn’t verified it"))
            try await client.page(link, cookies: [browser]).expectErrorPage(404, "This link no longer works")
            // The answer to a second click, too.
            let again = try await client.form(link, ["password": TestPassword.good], cookies: [browser])
            again.expectErrorPage(404, "This link no longer works")
            #expect(again.text.contains("If you have just used it, what you asked for is done."))
        }
    }

    @Test(
        "Another password at the link drops the name of the sign-up, too, and another browser has to name the address",
        arguments: [true, false])
    func newPassword(isSameBrowser: Bool) async throws {
        try await withPasswords { client, service in
            let asked = try await client.form(
                "/sign-up", ["email": TestService.ann, "newPassword": TestPassword.good, "givenName": "Mallory"])
            let cookies = isSameBrowser ? [try #require(asked.cookie("__Host-siwa-browser"))] : []
            let link = try await service.link(.signUp)
            let shown = try await client.page(link, cookies: cookies).text
            #expect(shown.contains("<wbr>@example.com") == isSameBrowser)
            #expect(shown.contains(#"name="email""#) == !isSameBrowser)
            for typed in isSameBrowser ? [] : ["bob@example.com", "", nil] {
                var fields = ["newPassword": TestPassword.other]
                fields["email"] = typed
                let refused = try await client.form(link, fields, cookies: cookies)
                #expect((refused.status == .conflict) == (typed == "bob@example.com"))
                #expect(refused.text.contains(#"id="email-problem""#) && refused.text.contains("<details open>"))
            }
            let email = isSameBrowser ? [:] : ["email": TestService.ann]
            func fields(_ password: String) -> [String: String] { email.merging(["newPassword": password]) { $1 } }
            let short = try await client.form(link, fields("short"), cookies: cookies)
            #expect(short.status == .badRequest && short.text.contains("Use at least 15 characters."))
            #expect(short.text.contains("<details open>"))
            let done = try await client.form(link, fields(TestPassword.other), cookies: cookies)
            let cookie = try #require(done.cookie("__Host-siwa-session"))
            #expect(!(try await client.page("/account", cookies: [cookie]).text.contains("Mallory")))
            #expect(try await service.signInOnPage(client, password: TestPassword.good).status == .unauthorized)
            #expect(try await service.signInOnPage(client, password: TestPassword.other).status == .seeOther)
        }
    }

    @Test("The sign-in form is beside Apple's button on both pages, and leads to the page that was wanted")
    func signIn() async throws {
        try await withPasswords { client, service in
            _ = try await service.signUpInBrowser(client)
            for path in ["/", "/sign-in"] {
                let page = try await client.page(path)
                #expect(page.text.contains(#"class="apple-button apple-automatic" href="/sign-in/apple""#))
                #expect(page.text.contains(#"autocomplete="current-password""#))
                for link in ["/forgotten", "/sign-in/link", "/sign-up"] { #expect(page.text.contains(#""\#(link)""#)) }
            }
            let page = try await client.page("/sign-in?return=/account/export")
            #expect(page.text.contains(#"name="return" value="/account/export""#))
            #expect(page.text.contains(#"href="/sign-up?return=/account/export""#))
            let done = try await client.form(
                "/sign-in",
                ["email": "ANN@example.com", "password": TestPassword.good, "return": "/account/export"])
            #expect(done.status == .seeOther && done.headers[.location] == "/account/export")
            let set = try #require(done.headers[values: .setCookie].first)
            #expect(set.contains("HttpOnly") && set.contains("Secure") && set.contains("SameSite=Lax"))
            let cookie = try #require(done.cookie("__Host-siwa-session"))
            #expect(try await client.page("/account/export", cookies: [cookie]).text.contains("Download the file"))
            #expect(try await client.page("/sign-in", cookies: [cookie]).text.contains("Welcome back"))
            let elsewhere = try await client.form(
                "/sign-in",
                ["email": TestService.ann, "password": TestPassword.good, "return": "https://example.com"])
            #expect(elsewhere.status == .badRequest && elsewhere.cookie("__Host-siwa-session") == nil)
        }
    }

    @Test("After a mistake the form keeps what was typed, except the password")
    func mistakes() async throws {
        try await withPasswords { client, service in
            let typed = try await client.form("/sign-in", ["email": #"a"b"#, "password": TestPassword.wrong])
            #expect(typed.status == .badRequest && typed.text.contains("This is not an email address."))
            #expect(typed.text.contains(#"value="a&quot;b" aria-invalid="true" aria-describedby="email-problem""#))
            let wrong = try await service.signInOnPage(client, password: TestPassword.wrong)
            #expect(wrong.status == .unauthorized && wrong.headers[.wwwAuthenticate] == "Bearer")
            #expect(wrong.text.contains("The address or the password is wrong."))
            #expect(wrong.text.contains(#"value="ann@example.com""#))
            let common = try await client.form(
                "/sign-up",
                ["email": TestService.ann, "newPassword": "passwordpassword", "givenName": "A<b>", "return": "/device"])
            #expect(common.status == .badRequest && common.text.contains("Many people use this password"))
            for part in [#"value="ann@example.com""#, #"value="A&lt;b&gt;""#, #"name="return" value="/device""#] {
                #expect(common.text.contains(part))
            }
            for page in [typed, wrong, common] {
                #expect(!page.text.contains(TestPassword.wrong) && !page.text.contains("passwordpassword"))
            }
            for path in ["/forgotten", "/sign-in/link", "/sign-up"] {
                let page = try await client.form(path, ["email": "nobody", "newPassword": TestPassword.good])
                #expect(page.status == .badRequest && page.text.contains(#"value="nobody" aria-invalid="true""#))
            }
        }
    }

    @Test("A page says how long to wait, in words and in the header", arguments: [TestService.ann, "bob@example.com"])
    func waits(email: String) async throws {
        try await withPasswords { client, service in
            _ = try await service.signUpInBrowser(client)
            for _ in 0..<6 {
                let wrong = try await service.signInOnPage(client, email: email, password: TestPassword.wrong)
                #expect(wrong.status == .unauthorized)
            }
            let refused = try await service.signInOnPage(client, email: email)
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "1")
            #expect(refused.text.contains("There were too many attempts. Try again in a second."))
            #expect(refused.cookie("__Host-siwa-session") == nil)
        }
    }

    @Test(
        "Pages are the same bytes for an address that is known and for one that isn't",
        arguments: ["/sign-in", "/sign-up", "/sign-in/link", "/forgotten"])
    func same(path: String) async throws {
        try await withPasswords { client, service in
            _ = try await service.signUpInBrowser(client, email: "ann@example.com")
            var answers: [[String]] = []
            for name in ["ann", "bob"] {
                let fields = [
                    "email": "\(name)@example.com", "password": TestPassword.wrong, "newPassword": TestPassword.good,
                ]
                let answer = try await client.form(path, fields)
                answers.append(answer.withoutNames.map { $0.replacing("\(name)@", with: "…@") })
            }
            #expect(answers[0] == answers[1] && answers[0].count > 5)
        }
    }

    @Test("A sign-in ends the browser's former session, and a wrong password leaves it")
    func former() async throws {
        try await withPasswords { client, service in
            let first = try await service.signUpInBrowser(client)
            _ = try await service.signInOnPage(client, password: TestPassword.wrong, cookies: [first])
            #expect(try await client.page("/account", cookies: [first]).status == .ok)
            let done = try await service.signInOnPage(client, cookies: [first])
            let second = try #require(done.cookie("__Host-siwa-session"))
            #expect(second != first)
            #expect(try await client.page("/account", cookies: [first]).status == .seeOther)
            // Apple's account in the same browser.
            let third = try await service.signInWithBrowser(client, sessionCookie: second)
            #expect(try await client.page("/account", cookies: [second]).status == .seeOther)
            _ = try await service.signInOnPage(client, cookies: [third])
            #expect(try await client.page("/account", cookies: [third]).status == .seeOther)
        }
    }

    @Test("A link signs in with one button in the browser that asked, and ends its former session")
    func linkHere() async throws {
        try await withPasswords { client, service in
            let former = try await service.signUpInBrowser(client)
            let asked = try await client.form(
                "/sign-in/link", ["email": TestService.ann, "return": "/account/sessions"])
            #expect(asked.headers[.location] == "/sign-in/link?sent")
            let browser = try #require(asked.cookie("__Host-siwa-browser"))
            let link = try await service.link(.signInLink)
            let page = try await client.page(link, cookies: [browser])
            #expect(page.text.contains("ann<wbr>@example.com") && !page.text.contains(#"name="email""#))
            let done = try await client.form(link, [:], cookies: [browser, former])
            #expect(done.status == .seeOther && done.headers[.location] == "/account/sessions")
            #expect(try await client.page("/account", cookies: [former]).status == .seeOther)
            #expect(
                try await client.page("/account", cookies: [try #require(done.cookie("__Host-siwa-session"))]).status
                    == .ok)
        }
    }

    @Test("A sign-in that begins later leaves the browser its cookie for as long as a mailed link needs it")
    func cookieLifetime() async throws {
        try await withPasswords { client, service in
            let asked = try await client.form("/sign-in/link", ["email": TestService.ann])
            let browser = try #require(asked.cookie("__Host-siwa-browser"))
            let begun = try await client.page("/sign-in/apple", cookies: [browser])
            let settings = begun.headers[values: .setCookie]
            #expect(settings == asked.headers[values: .setCookie])
            let found = settings.first?.firstMatch(of: /Max-Age=(?<seconds>[0-9]+);/).flatMap { Int64($0.seconds) }
            let seconds = try #require(found)
            #expect(seconds > EmailLink.lifetime.components.seconds)
            // Apple's answer may come after ten minutes, and bring the handle of a conflict.
            #expect(seconds >= 600 + ConflictHandle.lifetime.components.seconds)
        }
    }

    @Test("In another browser the page asks for the address, and shows it nowhere")
    func linkElsewhere() async throws {
        try await withPasswords { client, service in
            _ = try await client.form("/sign-in/link", ["email": TestService.ann])
            let link = try await service.link(.signInLink)
            let other = "__Host-siwa-browser=\(String(repeating: "A", count: 43))"
            for cookies in [[], [other]] {
                let page = try await client.page(link, cookies: cookies)
                #expect(page.text.contains(#"name="email""#))
                for part in ["ann@", "ann<wbr>"] { #expect(!page.text.contains(part)) }
                for email in ["", "bob@example.com"] {
                    let refused = try await client.form(link, ["email": email], cookies: cookies)
                    #expect(refused.status == (email.isEmpty ? .badRequest : .conflict))
                    #expect(refused.text.contains(#"aria-invalid="true""#) && !refused.text.contains("ann@"))
                    #expect(refused.cookie("__Host-siwa-session") == nil)
                }
            }
            let done = try await client.form(link, ["email": "Ann@EXAMPLE.com"])
            #expect(done.status == .seeOther && done.cookie("__Host-siwa-session") != nil)
        }
    }

    @Test("A forgotten password: a link, a new password, and the sign-in with it")
    func reset() async throws {
        try await withPasswords { client, service in
            let session = try await service.signUpInBrowser(client)
            let asked = try await client.form("/forgotten", ["email": TestService.ann])
            #expect(asked.headers[.location] == "/forgotten?sent")
            #expect(try await client.page("/forgotten?sent").text.contains("Check your mail"))
            let link = try await service.link(.passwordReset)
            let page = try await client.page(link)
            #expect(page.text.contains(#"autocomplete="new-password""#))
            #expect(try await client.page("/account", cookies: [session]).status == .ok)
            let refused = try await client.form(link, ["newPassword": "ann@example.com"])
            #expect(refused.status == .badRequest && refused.text.contains("too much like your name"))
            let done = try await client.form(link, ["newPassword": TestPassword.other], cookies: [session])
            #expect(done.status == .seeOther && done.headers[.location] == "/sign-in?reset")
            #expect(try await client.page("/sign-in?reset").text.contains("Your password is changed."))
            // Somebody else may be signed in in this browser.
            let zoe = try await service.signInWithBrowser(client, person: "zoe")
            let elsewhere = try await client.page("/sign-in?reset", cookies: [zoe]).text
            #expect(elsewhere.contains("Welcome back") && elsewhere.contains("Your password is changed."))
            #expect(try await client.page("/account", cookies: [session]).status == .seeOther)
            #expect(try await service.signInOnPage(client, password: TestPassword.other).status == .seeOther)
            try await client.page(link).expectErrorPage(404, "This link no longer works")
        }
    }

    @Test("A link is good for a quarter of an hour")
    func old() async throws {
        try await withPasswords { client, service in
            _ = try await client.form("/sign-in/link", ["email": TestService.ann])
            let link = try await service.link(.signInLink)
            service.clock.advance(by: .seconds(901))
            try await client.page(link).expectErrorPage(404, "This link no longer works")
            try await client.page("/email-links/x").expectErrorPage(404, "This link no longer works")
        }
    }

    @Test("A service without a Services ID shows only the form, and no link to Apple")
    func withoutApple() async throws {
        try await withPasswords(webClient: nil) { client, service in
            for path in ["/", "/sign-in"] {
                let page = try await client.page(path).text
                #expect(page.contains(#"action="/sign-in""#) && !page.contains("apple-button"))
                #expect(page.contains("Sign in to Juice") && !page.contains(">or<"))
            }
            let cookie = try await service.signUpInBrowser(client)
            let account = try await client.page("/account", cookies: [cookie]).text
            #expect(account.contains("/account/password") && !account.contains("/account/upgrade"))
            #expect(account.contains("/account/delete") && account.contains("/account/export"))
            try await client.page("/account/upgrade", cookies: [cookie]).expectErrorPage(404, "Page not found")
            #expect(try await client.page("/account/delete", cookies: [cookie]).status == .ok)
        }
    }

    @Test("Apple's script never runs on a page with a field for a password")
    func script() async throws {
        var configuration = AccountHTTPConfiguration.juice()
        configuration.signInScript = .popup
        try await withPasswords(configuration) { client, _ in
            let start = try await client.page("/?return=/account/export")
            #expect(start.text.contains("<script") && !start.text.contains(#"type="password""#))
            #expect(start.text.contains(#"href="/sign-in?return=/account/export""#))
            for path in ["/sign-in", "/sign-up"] {
                let page = try await client.page(path)
                #expect(!page.text.contains("<script") && page.text.contains(#"type="password""#))
                #expect(page.headers[.contentSecurityPolicy]?.contains("script-src") == false)
            }
            let wrong = try await client.form("/sign-in", ["email": "a@example.com", "password": "x"])
            #expect(!wrong.text.contains("<script"))
            #expect(wrong.headers[.contentSecurityPolicy]?.contains("script-src") == false)
        }
    }

    @Test(
        "Forms are taken from this site's own pages alone",
        arguments: [
            "/sign-in", "/sign-up", "/sign-in/link", "/forgotten", "/account/password", "/account/upgrade",
            "/reauthenticate/password", "/reauthenticate/link", "/email-links/\(String(repeating: "A", count: 43))",
        ])
    func barriers(path: String) async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            let fields = ["email": "bob@example.com", "password": TestPassword.good, "newPassword": TestPassword.other]
            for site in ["cross-site", "same-site", "none"] {
                try await client.form(path, fields, cookies: [cookie], site: site)
                    .expectErrorPage(403, "That came from somewhere else")
            }
            let json = try await client.send(
                .post, path, [.secFetchSite: "same-origin", .contentType: "application/json", .cookie: cookie],
                body: ByteBuffer(string: "{}"))
            #expect(json.status == .unsupportedMediaType)
            let twice = try await client.post(path, form: "email=a&email=b", cookies: [cookie], site: "same-origin")
            #expect(twice.status == .badRequest)
            #expect(try await service.signInOnPage(client).status == .seeOther)
        }
    }

    @Test("Pages of a session are for its browser alone", arguments: ["password", "upgrade"])
    func sessions(page: String) async throws {
        try await withPasswords { client, service in
            let path = "/account/\(page)"
            #expect(try await client.page(path).headers[.location] == "/?return=\(path)")
            let late = try await client.form(path, ["newPassword": TestPassword.good])
            #expect(late.headers[.location] == "/?return=\(path)")
            let token = try await service.signUpByApp(client).session.accessToken
            let bearer = try await client.send(.get, path, [.authorization: "Bearer \(token)"])
            #expect(bearer.headers[.location] == "/?return=\(path)")
        }
    }
}
