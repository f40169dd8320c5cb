import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The account page", .eachEngine)
struct AccountPageTests {
    @Test(
        "A browser without a session is sent to the sign-in page",
        arguments: [
            [], ["__Host-siwa-session="], ["__Host-siwa-session=nonsense"], ["siwa-session=x"],
            ["__Host-siwa-session=ses_00000000000000000000000000.AAAA"],
        ]
    )
    func notSignedIn(cookies: [String]) async throws {
        try await withService { client, _ in
            let answer = try await client.page("/account", cookies: cookies)
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/?return=/account")
            #expect(answer.cookie("__Host-siwa-session") == "__Host-siwa-session=")
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
