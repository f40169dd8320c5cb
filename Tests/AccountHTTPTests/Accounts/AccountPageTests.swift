import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The account page", .eachEngine)
struct AccountPageTests {
    @Test(
        "A browser without a session is sent to the sign-in page, and forgets a cookie that names no session",
        arguments: [
            ([], false), (["__Host-siwa-session="], true), (["__Host-siwa-session=nonsense"], true),
            (["siwa-session=x"], false), (["__Host-siwa-session=ses_00000000000000000000000000.AAAA"], true),
        ] as [([String], Bool)]
    )
    func notSignedIn(cookies: [String], forgets: Bool) async throws {
        try await withService { client, _ in
            let answer = try await client.page("/account", cookies: cookies)
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/?return=/account")
            #expect(answer.cookie("__Host-siwa-session") == (forgets ? "__Host-siwa-session=" : nil))
        }
    }

    @Test("An answer to the cookie of an ended session leaves the cookie, which may be a newer one by then")
    func ended() async throws {
        try await withService { client, service in
            let former = try await service.signInWithBrowser(client)
            let current = try await service.signInWithBrowser(client, sessionCookie: former)
            let late = try await client.page("/account/profile", cookies: [former])
            #expect(late.status == .seeOther && late.headers[.location] == "/?return=/account/profile")
            #expect(late.headers[.setCookie] == nil)
            let form = try await client.post(
                "/account/profile/name", form: "givenName=Ann", cookies: [former], site: "same-origin")
            #expect(form.headers[.location] == "/?return=/account/profile" && form.headers[.setCookie] == nil)
            // The start page is for everybody, and offers the sign-in to this browser.
            let start = try await client.page("/?return=/account/profile", cookies: [former])
            #expect(start.status == .ok && start.text.contains("/sign-in/apple?return=/account/profile"))
            let page = try await client.page("/account/profile", cookies: [current])
            #expect(page.status == .ok && !page.text.contains("Ann"))
        }
    }

    @Test("A cookie that comes twice is ignored")
    func twice() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
            #expect(try await client.page("/account", cookies: [cookie, cookie]).status == .seeOther)
        }
    }

    @Test("A session that isn't used for a month has expired")
    func idle() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            service.clock.advance(by: .seconds(31 * 86_400))
            #expect(try await client.page("/account", cookies: [cookie]).status == .seeOther)
        }
    }

    @Test("A name is shown as the text that it is")
    func name() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client, firstName: "<b>\"\u{301}'&")
            let html = try await client.page("/account", cookies: [cookie]).text
            #expect(html.contains("&lt;b&gt;&quot;\u{301}&#39;&amp;"))
        }
    }

    @Test("A hidden address says whether Apple forwards mail to it")
    func forwarding() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client, hideEmail: true)
            #expect(try await client.page("/account", cookies: [cookie]).text.contains("mail is forwarded"))
            service.clock.advance(by: .seconds(60))
            try await service.apple.forward(false)
            try await service.apple.deliver(to: client)
            let html = try await client.page("/account", cookies: [cookie]).text
            #expect(html.contains("you have turned forwarding off") && !html.contains("mail is forwarded"))
        }
    }
}
