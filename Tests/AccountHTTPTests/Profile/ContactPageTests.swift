import AccountAPI
import AccountHTTP
import AccountService
import Foundation
import HTTPTypes
import HummingbirdTesting
import InMemoryLogging
import Logging
import Testing

@Suite("The links in mails about a contact address", .eachEngine)
struct ContactPageTests {
    /// Johnny asks for an address.
    /// - Returns: The path of the link that was sent to it.
    private func ask(
        _ client: TestClient, _ service: TestService, _ cookie: String, for address: String = "ann@example.com"
    ) async throws -> String {
        let form = "contactEmail=\(address.replacing("@", with: "%40"))"
        let sent = try await client.post(
            "/account/profile/contact-email", form: form, cookies: [cookie], site: "same-origin")
        try #require(sent.headers[.location] == "/account/profile?sent", "\(sent.text)")
        let path = try await service.link(.verifyAddress)
        #expect(path.hasPrefix("/contact/"))
        return path
    }

    private func confirm(_ client: TestClient, _ path: String, _ cookie: String) async throws -> TestResponse {
        try await client.post(path, form: "", cookies: [cookie], site: "same-origin")
    }

    private func contact(_ client: TestClient, _ cookie: String) async throws -> Bool {
        try await client.page("/account/profile", cookies: [cookie]).text.contains("Confirmed</span>")
    }

    @Test("A link alone changes nothing; the form on its page makes the address the account's, once")
    func confirms() async throws {
        try await withService(sendsMail: true) { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let path = try await ask(client, service, cookie)
            for _ in 0..<3 {
                let question = try await client.page(path, cookies: [cookie])
                #expect(question.status == .ok && question.text.contains("ann<wbr>@example.com"))
                #expect(question.text.contains(#"method="post" action="\#(path)""#))
            }
            #expect(try await client.send(.head, path, [.cookie: cookie]).status == .ok)
            #expect(try await contact(client, cookie) == false)
            for site in ["cross-site", "same-site"] {
                let foreign = try await client.post(path, form: "", cookies: [cookie], site: site)
                foreign.expectErrorPage(403, "That came from somewhere else")
            }
            let confirmed = try await confirm(client, path, cookie)
            #expect(confirmed.status == .seeOther && confirmed.headers[.location] == "/account/profile?confirmed")
            #expect(try await contact(client, cookie))
            try await confirm(client, path, cookie).expectErrorPage(404, "This link no longer works")
            try await client.page(path, cookies: [cookie]).expectErrorPage(404, "This link no longer works")
        }
    }

    @Test("A browser without a session is led through the sign-in, and back")
    func signIn() async throws {
        try await withService(sendsMail: true) { client, service in
            let path = try await ask(client, service, try await service.signInWithBrowser(client))
            let away = try await client.page(path)
            let start = try #require(away.headers[.location])
            #expect(away.status == .seeOther && start == "/?return=\(path)")
            let page = try await client.page(start)
            #expect(page.headers[try #require(HTTPField.Name("Referrer-Policy"))] == "strict-origin")
            #expect(page.text.contains(#"href="/sign-in/apple?return=\#(path)""#))
            let back = try await service.completeSignIn(client, begunAt: "/sign-in/apple?return=\(path)")
            #expect(back.headers[.location] == path)
            let cookie = try #require(back.cookie("__Host-siwa-session"))
            #expect(try await client.page(path, cookies: [cookie]).status == .ok)
            // The session ended between the page and its form.
            let late = try await client.post(path, form: "", site: "same-origin")
            #expect(late.headers[.location] == "/?return=\(path)")
            #expect(try await confirm(client, path, cookie).status == .seeOther)
            #expect(try await contact(client, cookie))
        }
    }

    @Test("Apple's script doesn't run on the start page that leads back to a link")
    func noScript() async throws {
        var configuration = AccountHTTPConfiguration.juice()
        configuration.signInScript = .popup
        try await withService(configuration) { client, _ in
            let path = "/?return=/contact/" + String(repeating: "A", count: 43)
            let page = try await client.page(path)
            #expect(!page.text.contains("<script"))
            #expect(page.headers[.contentSecurityPolicy]?.contains("script-src") == false)
            #expect(try await client.page("/?return=/account/export").text.contains("<script"))
        }
    }

    @Test("Another account's browser is told so, and the link stays good")
    func otherAccount() async throws {
        try await withService(sendsMail: true) { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let path = try await ask(client, service, cookie)
            let zoe = try await service.signInWithBrowser(client, person: "zoe")
            try await client.page(path, cookies: [zoe]).expectErrorPage(403, "This link is for another account")
            try await confirm(client, path, zoe).expectErrorPage(403, "This link is for another account")
            #expect(try await confirm(client, path, cookie).status == .seeOther)
        }
    }

    @Test("A link is good for a day, and until the next one")
    func old() async throws {
        try await withService(sendsMail: true) { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let first = try await ask(client, service, cookie)
            let second = try await ask(client, service, cookie)
            try await client.page(first, cookies: [cookie]).expectErrorPage(404, "This link no longer works")
            service.clock.advance(by: .seconds(86_401))
            try await client.page(second, cookies: [cookie]).expectErrorPage(404, "This link no longer works")
            for path in ["/contact/x", "/contact/take-back/x", "/sessions/not-me/x"] {
                try await client.page(path, cookies: [cookie]).expectErrorPage(404, "This link no longer works")
            }
        }
    }

    @Test("The former address can take the change back without a sign-in, and newer sessions end")
    func takeBack() async throws {
        try await withService(sendsMail: true) { client, service in
            let cookie = try await service.signInWithBrowser(client)
            _ = try await confirm(client, try await ask(client, service, cookie), cookie)
            service.clock.advance(by: .seconds(60))
            // Somebody else gets hold of the account.
            let thief = try await service.signInWithBrowser(client)
            service.clock.advance(by: .seconds(60))
            _ = try await confirm(
                client, try await ask(client, service, thief, for: "thief@example.com"), thief)
            service.clock.advance(by: .seconds(60))
            let later = try await service.signInWithBrowser(client)
            let mail = try #require(try await service.mails(.addressChanged).last)
            #expect(mail.recipient == "ann@example.com")
            let path = try await service.link(.addressChanged)
            #expect(path.hasPrefix("/contact/take-back/"))

            let question = try await client.page(path)
            #expect(question.status == .ok && question.text.contains("ann<wbr>@example.com"))
            #expect(!question.text.contains("thief@") && !question.text.contains("thief<wbr>"))
            #expect(try await client.send(.head, path).status == .ok)
            #expect(try await client.page("/account", cookies: [later]).status == .ok)
            try await client.post(path, form: "", site: "cross-site")
                .expectErrorPage(403, "That came from somewhere else")

            let done = try await client.post(path, form: "", site: "same-origin")
            #expect(done.status == .ok && done.text.contains("ann@example.com is your contact address again."))
            #expect(done.text.contains(#"href="/account/sessions""#))
            for ended in [thief, later] {
                #expect(try await client.page("/account", cookies: [ended]).status == .seeOther)
            }
            #expect(try await client.page("/account/profile", cookies: [cookie]).text.contains("ann<wbr>@example.com"))
            try await client.post(path, form: "", site: "same-origin")
                .expectErrorPage(404, "This link no longer works")
            try await client.page(path).expectErrorPage(404, "This link no longer works")
        }
    }

    @Test("If there was no address before, taking the change back removes the new address")
    func first() async throws {
        try await withService(sendsMail: true) { client, service in
            let cookie = try await service.signInWithBrowser(client)
            _ = try await confirm(client, try await ask(client, service, cookie), cookie)
            let path = try await service.link(.addressChanged)
            #expect(try await client.page(path).text.contains("The account then has no contact address"))
            let done = try await client.post(path, form: "", site: "same-origin")
            #expect(done.text.contains("Your account has no contact address now."))
            #expect(try await client.page("/account/profile", cookies: [cookie]).status == .seeOther)
            #expect(try await contact(client, try await service.signInWithBrowser(client)) == false)
        }
    }

    @Test("No token of a link is in a log, in a Referer, or on a page of another address")
    func secrets() async throws {
        var recorder = InMemoryLogHandler()
        recorder.logLevel = .trace
        let handler = recorder
        let logger = Logger(label: "test") { _ in handler }
        try await withService(sendsMail: true, logger: logger) { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let path = try await ask(client, service, cookie)
            let token = String(path.dropFirst("/contact/".count))
            let name = try #require(HTTPField.Name("Referrer-Policy"))
            let answers = [
                try await client.page(path, cookies: [cookie]), try await client.page(path),
                try await client.page("/contact/take-back/" + token),
                try await client.page("/sessions/not-me/" + token), try await confirm(client, path, cookie),
            ]
            for answer in answers {
                #expect(answer.headers[values: name] == ["strict-origin"])
                #expect(answer.headers[.cacheControl] == "no-store")
            }
            let profile = try await client.page("/account/profile", cookies: [cookie])
            #expect(profile.headers[values: name] == ["same-origin"])
            #expect(!profile.text.contains(token))
            let undo = try await service.link(.addressChanged).dropFirst("/contact/take-back/".count)
            _ = try await client.page("/contact/take-back/" + undo)
            _ = try await client.post("/contact/take-back/" + undo, form: "", site: "same-origin")
            for entry in handler.entries {
                #expect(!"\(entry)".contains(token) && !"\(entry)".contains(undo))
                #expect(!"\(entry)".contains("ann@example.com"))
            }
            #expect(handler.entries.contains { $0.metadata["route"]?.description == "/contact/{token}" })
        }
    }
}
