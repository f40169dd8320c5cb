import AccountAPI
import AccountService
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@Suite("Deletion of an account on pages", .eachEngine) struct DeletionPageTests {
    private func begin(_ client: TestClient, _ cookie: String) async throws -> TestResponse {
        try await client.post("/account/delete", form: "", cookies: [cookie], site: "same-origin")
    }

    @Test("A page asks, Apple proves the person, and a page without session tells what became of it") func deletes()
        async throws
    {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client, firstName: "Johnny")
            let question = try await client.page("/account/delete", cookies: [cookie])
            #expect(question.status == .ok && question.text.contains("Johnny Appleseed"))
            let policy = question.header("Content-Security-Policy") ?? ""
            #expect(policy.contains("form-action 'self' \(TestService.emulatorURL)"))
            // However long ago the sign-in was: this is the proof.
            service.clock.advance(by: .seconds(3_600))
            let answer = try await service.comeBack(client, try await begin(client, cookie))
            #expect(answer.status == .seeOther)
            #expect(answer.cookie("__Host-siwa-session") == "__Host-siwa-session=")
            let path = try #require(answer.headers[.location])
            #expect(path.hasPrefix("/deletions/del_"))
            #expect(try await client.page("/account", cookies: [cookie]).status == .seeOther)

            let waiting = try await client.page(path)
            #expect(waiting.status == .ok && waiting.text.contains("We haven’t told Apple yet."))
            try await service.domain.outbox.drain()
            #expect(try await client.page(path).text.contains("Has ended the authorization"))
            #expect(try await service.isFirstAtApple())
        }
    }

    @Test("The mails about a deletion are in the languages of the request that asks for it")
    func languages() async throws {
        try await withService(sendsMail: true) { client, service in
            let first = try await service.signInNatively(client).session
            var headers: HTTPFields = [.authorization: "Bearer \(first.accessToken)"]
            headers[.acceptLanguage] = "de, en;q=0.5"
            let deleted = try await client.send(.delete, "/v1/account", headers)
            #expect(deleted.status == .ok || deleted.status == .accepted, "\(deleted.text)")
            #expect(try await service.mails(.deletionBegun).map(\.languages) == [["de", "en"]])
            try await service.domain.outbox.drain()
            #expect(try await service.mails(.deletionDone).map(\.languages) == [["de", "en"]])
        }
    }

    @Test("Nothing is deleted when the person cancels, or when somebody else signs in at Apple") func nothing()
        async throws
    {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let cancelled = try await service.comeBack(client, try await begin(client, cookie), decision: "cancel")
            #expect(cancelled.status == .seeOther && cancelled.headers[.location] == "/account/delete")
            let other = try await service.comeBack(client, try await begin(client, cookie), person: "zoe")
            other.expectErrorPage(403, "another Apple Account")
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
        }
    }

    @Test("A link, another site's form, and a browser without a session delete nothing") func barriers()
        async throws
    {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            for site in ["cross-site", "same-site", "none"] {
                let answer = try await client.post("/account/delete", form: "", cookies: [cookie], site: site)
                #expect(answer.status == .forbidden)
            }
            for path in ["/account/delete", "/account/export"] {
                let answer = try await client.page(path)
                #expect(answer.status == .seeOther && answer.headers[.location] == "/?return=" + path)
            }
            let anonymous = try await client.post("/account/delete", form: "", site: "same-origin")
            #expect(anonymous.status == .seeOther && anonymous.headers[.location] == "/?return=/account/delete")
        }
    }

    @Test("The answer to a sign-in deletes nothing, and the answer to a deletion signs nobody in") func purposes()
        async throws
    {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let successor = try await service.signInWithBrowser(client, sessionCookie: cookie)
            #expect(try await client.page("/account", cookies: [successor]).status == .ok)
            let answer = try await service.comeBack(client, try await begin(client, successor))
            #expect(answer.cookie("__Host-siwa-session") == "__Host-siwa-session=")
        }
    }

    @Test("A person who returns before Apple was told gets a new account, and the page says so") func withdrawn()
        async throws
    {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let answer = try await service.comeBack(client, try await begin(client, cookie))
            let path = try #require(answer.headers[.location])
            _ = try await service.signInWithBrowser(client)
            #expect(try await client.page(path).text.contains("you signed in again"))
            try await service.domain.outbox.drain()
            #expect(try await service.isFirstAtApple() == false)
        }
    }

    @Test("An unknown deletion has an error page") func unknown() async throws {
        try await withService { client, _ in
            try await client.page("/deletions/del_x").expectErrorPage(404, "Nothing is known of this deletion")
        }
    }
}
