import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@Suite("The way back from Apple", .eachEngine)
struct WebSignInTests {
    @Test("A sign-in ends on the account page, with a session cookie and nothing in the address")
    func signIn() async throws {
        try await withService { client, service in
            let answer = try await service.completeSignIn(client)
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/account")
            let cookies = answer.headers[values: .setCookie]
            #expect(cookies.count == 1)
            #expect(
                cookies[0].contains(
                    #/^__Host-siwa-session=[A-Za-z0-9_.-]+; Max-Age=15552000; Path=/; Secure; HttpOnly; SameSite=Lax$/#)
            )
            let cookie = try #require(answer.cookie("__Host-siwa-session"))
            let page = try await client.page("/account", cookies: [cookie])
            #expect(page.status == .ok)
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(page.text.contains("Johnny Appleseed"))
            #expect(page.text.contains("Member since"))
        }
    }

    @Test("A hidden address is shown as one")
    func hiddenEmail() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client, hideEmail: true)
            let page = try await client.page("/account", cookies: [cookie])
            #expect(page.text.contains("Hidden by Apple: mail is forwarded"))
        }
    }

    @Test("A new sign-in in the same browser ends its former session")
    func replaced() async throws {
        try await withService { client, service in
            let first = try await service.signInWithBrowser(client)
            let second = try await service.signInWithBrowser(client, sessionCookie: first)
            #expect(first != second)
            #expect(try await client.page("/account", cookies: [first]).status == .seeOther)
            #expect(try await client.page("/account", cookies: [second]).status == .ok)
        }
    }

    @Test("Cancel is a friendly page and no error")
    func cancel() async throws {
        try await withService { client, service in
            let answer = try await service.completeSignIn(client, decision: "cancel")
            #expect(answer.status == .ok)
            #expect(answer.headers[.setCookie] == nil)
            #expect(answer.text.contains("Sign-in cancelled"))
            #expect(answer.text.contains(#"<a class="button primary" href="/">Try again</a>"#))
        }
    }

    @Test("A browser without its cookie sees the page about cookies")
    func noCookie() async throws {
        try await withService { client, service in
            let (_, form) = try await service.answerOfApple(client)
            let answer = try await client.post("/sign-in/apple/callback", form: form, site: "cross-site")
            answer.expectErrorPage(400, "Cookies are blocked")
            #expect(answer.text.contains("Safari"))
            // The attempt is used, with or without a cookie.
            try await client.post("/sign-in/apple/callback", form: form, site: "cross-site")
                .expectErrorPage(400, "This sign-in is over")
        }
    }

    @Test("Without its cookie the page is the same, whether or not a name was stored")
    func samePage() async throws {
        try await withService { client, service in
            func answer(firstName: String?) async throws -> TestResponse {
                let (_, form) = try await service.answerOfApple(client, firstName: firstName)
                return try await client.post("/sign-in/apple/callback", form: form, site: "cross-site")
            }
            func comparable(_ answer: TestResponse) -> String {
                let id = answer.headers[HTTPField.Name("X-Request-ID")!] ?? ""
                return id.isEmpty ? answer.text : answer.text.replacing(id, with: "")
            }
            let kept = try await answer(firstName: "Jonathan")
            await service.domain.finishing.idle()
            let notKept = try await answer(firstName: nil)
            #expect(kept.status == .badRequest && notKept.status == .badRequest)
            #expect(comparable(kept) == comparable(notKept))
            #expect(kept.headers[values: .setCookie].isEmpty)
            let cookie = try await service.signInWithBrowser(client)
            #expect(try await client.page("/account", cookies: [cookie]).text.contains("Jonathan Appleseed"))
        }
    }

    @Test("Another browser can't finish a sign-in")
    func otherBrowser() async throws {
        try await withService { client, service in
            let (_, form) = try await service.answerOfApple(client)
            let other = try #require(try await client.page("/sign-in/apple").cookie("__Host-siwa-browser"))
            let answer = try await client.post("/sign-in/apple/callback", form: form, cookies: [other])
            answer.expectErrorPage(403, "Another browser began this")
            #expect(answer.headers[.setCookie] == nil)
        }
    }

    @Test("An answer is accepted once")
    func replay() async throws {
        try await withService { client, service in
            let (cookie, form) = try await service.answerOfApple(client)
            let path = "/sign-in/apple/callback"
            #expect(try await client.post(path, form: form, cookies: [cookie]).status == .seeOther)
            try await client.post(path, form: form, cookies: [cookie]).expectErrorPage(400, "This sign-in is over")
        }
    }

    @Test("An answer is accepted for ten minutes")
    func late() async throws {
        try await withService { client, service in
            let (cookie, form) = try await service.answerOfApple(client)
            service.clock.advance(by: .seconds(601))
            try await client.post("/sign-in/apple/callback", form: form, cookies: [cookie])
                .expectErrorPage(400, "This sign-in is over")
        }
    }

    @Test(
        "A form that isn't Apple's is refused",
        arguments: [
            ("", ErrorCode.attemptUnknown), ("state=x", .attemptUnknown), ("code=c&id_token=t", .attemptUnknown),
            ("state=x&state=y", .malformedForm), ("state=%", .malformedForm), ("state=%ff", .malformedForm),
            ("state=%00", .malformedForm),
        ]
    )
    func badForm(form: String, code: ErrorCode) async throws {
        try await withService { client, _ in
            let headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            try await client.send(.post, "/sign-in/apple/callback", headers, body: ByteBuffer(string: form))
                .expectError(code, 400)
            let page = try await client.post("/sign-in/apple/callback", form: form)
            #expect(page.status == .badRequest && page.text.contains("<h1"))
        }
    }

    @Test("Only a form is accepted", arguments: ["application/json", "text/plain", nil])
    func contentType(type: String?) async throws {
        try await withService { client, _ in
            var headers = HTTPFields()
            headers[.contentType] = type
            try await client.send(.post, "/sign-in/apple/callback", headers, body: ByteBuffer(string: "state=x"))
                .expectError(.unsupportedMediaType, 415)
        }
    }

    @Test("An error other than a cancellation, and an incomplete answer, are refused")
    func incomplete() async throws {
        try await withService { client, service in
            for (rest, code) in [
                ("error=server_error", ErrorCode.refusedByApple), ("code=c", .identityTokenMissing),
                ("id_token=t", .codeMissing), ("code=c&id_token=t", .malformedToken),
            ] {
                let (cookie, form) = try await service.answerOfApple(client)
                let state = try #require(form.split(separator: "&").first { $0.hasPrefix("state=") })
                let headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .cookie: cookie]
                try await client.send(
                    .post, "/sign-in/apple/callback", headers, body: ByteBuffer(string: "\(state)&\(rest)")
                ).expectError(code, 400)
            }
        }
    }

    @Test("A browser stays signed in if its person cancels another sign-in, or Apple can't be reached for it")
    func secondSignInFails() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let cancelled = try await service.completeSignIn(client, decision: "cancel", sessionCookie: cookie)
            #expect(cancelled.status == .seeOther && cancelled.headers[.location] == "/account", "\(cancelled.text)")
            // Apple's keys from the time of the first sign-in are too old then.
            service.clock.advance(by: .seconds(8 * 86_400))
            service.apple.outage = .all
            let failed = try await service.completeSignIn(client, sessionCookie: cookie)
            failed.expectErrorPage(503, "Apple can’t be reached")
            #expect(failed.text.contains("Nothing was changed.") && !failed.text.contains("You are not signed in"))
            #expect(failed.text.contains(#"href="/account""#))
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
        }
    }

    @Test("If Apple redeems no codes, the person is still signed in")
    func appleDown() async throws {
        try await withService { client, service in
            let (cookie, form) = try await service.answerOfApple(client)
            service.apple.outage = .tokens
            let answer = try await client.post("/sign-in/apple/callback", form: form, cookies: [cookie])
            let session = try #require(answer.cookie("__Host-siwa-session"), "\(answer.text)")
            #expect(try await client.page("/account", cookies: [session]).text.contains("Johnny Appleseed"))
        }
    }
}
