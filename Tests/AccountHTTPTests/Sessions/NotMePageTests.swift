import AccountAPI
import AccountHTTP
import AccountService
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The link in a mail about a new device", .eachEngine)
struct NotMePageTests {
    /// Johnny's own browser, and a device that signs in to his account.
    private func signIn(
        _ client: TestClient, _ service: TestService
    ) async throws -> (cookie: String, token: String, path: String) {
        let cookie = try await service.signInWithBrowser(client)
        service.clock.advance(by: .seconds(60))
        var credential = try await service.nativeCredential()
        credential.deviceName = "Somebody's <iPad>"
        let other: SignInAnswer = try await client.post("/v1/sign-in/apple", json: credential).decode()
        let path = try await service.link(.newDevice)
        #expect(path.hasPrefix("/sessions/not-me/"))
        return (cookie, other.session.accessToken, path)
    }

    private func account(_ client: TestClient, _ token: String) async throws -> TestResponse {
        try await client.send(.get, "/v1/account", [.authorization: "Bearer \(token)"])
    }

    @Test("A link alone changes nothing; the form on its page ends the session, and leads to the list")
    func ends() async throws {
        try await withService(sendsMail: true) { client, service in
            let (cookie, token, path) = try await signIn(client, service)
            for _ in 0..<3 {
                let question = try await client.page(path)
                #expect(question.status == .ok && question.text.contains("Somebody&#39;s &lt;iPad&gt;"))
                #expect(question.text.contains("Juice &amp; Co"))
            }
            #expect(try await client.send(.head, path).status == .ok)
            try await client.post(path, form: "", site: "cross-site")
                .expectErrorPage(403, "That came from somewhere else")
            #expect(try await account(client, token).status == .ok)
            let ended = try await client.post(path, form: "", cookies: [cookie], site: "same-origin")
            #expect(ended.status == .seeOther && ended.headers[.location] == "/account/sessions")
            try await account(client, token).expectError(.sessionEnded, 401)
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
            let again = try await client.page(path)
            #expect(again.status == .ok && again.text.contains("It is signed out there"))
        }
    }

    @Test("After a sign-out on that device the page still asks, and the next sign-in there sends a mail again")
    func signedOut() async throws {
        try await withService(sendsMail: true) { client, service in
            let (_, token, path) = try await signIn(client, service)
            #expect(
                try await client.send(.delete, "/v1/session", [.authorization: "Bearer \(token)"]).status.kind
                    == .successful)
            let question = try await client.page(path)
            #expect(question.status == .ok && question.text.contains("Nobody is signed in on that device any more"))
            #expect(!question.text.contains("Sign it out"))
            let ended = try await client.post(path, form: "", site: "same-origin")
            #expect(ended.status == .ok && ended.text.contains("It is signed out there"))
            service.clock.advance(by: .seconds(86_400))
            var credential = try await service.nativeCredential()
            credential.deviceName = "Somebody's <iPad>"
            _ = try await client.post("/v1/sign-in/apple", json: credential).decode(SignInAnswer.self)
            #expect(try await service.link(.newDevice) != path)
        }
    }

    @Test("It needs no sign-in; a browser that has none, or another person's, gets a page that leads to the list")
    func noSession() async throws {
        for person in [nil, "zoe"] {
            try await withService(sendsMail: true) { client, service in
                let (_, token, path) = try await signIn(client, service)
                var cookies: [String] = []
                if let person { cookies = [try await service.signInWithBrowser(client, person: person)] }
                let ended = try await client.post(path, form: "", cookies: cookies, site: "same-origin")
                #expect(ended.status == .ok && ended.text.contains("It is signed out there"))
                #expect(ended.text.contains(#"href="/account/sessions""#))
                try await account(client, token).expectError(.sessionEnded, 401)
            }
        }
    }

    @Test("It also ends what the device has signed in to since")
    func later() async throws {
        try await withService(sendsMail: true) { client, service in
            let (cookie, token, path) = try await signIn(client, service)
            service.clock.advance(by: .seconds(60))
            var credential = try await service.nativeCredential()
            credential.deviceName = "Somebody's <iPad>"
            let later: SignInAnswer = try await client.post("/v1/sign-in/apple", json: credential).decode()
            _ = try await client.post(path, form: "", cookies: [cookie], site: "same-origin")
            for token in [token, later.session.accessToken] {
                try await account(client, token).expectError(.sessionEnded, 401)
            }
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
        }
    }

    @Test("It is good for seven days")
    func old() async throws {
        try await withService(sendsMail: true) { client, service in
            let (_, _, path) = try await signIn(client, service)
            service.clock.advance(by: .seconds(7 * 86_400 + 1))
            try await client.page(path).expectErrorPage(404, "This link no longer works")
            try await client.post(path, form: "", site: "same-origin")
                .expectErrorPage(404, "This link no longer works")
        }
    }

    @Test("The browser whose own session the link names is signed out, and leads nowhere that needs one")
    func own() async throws {
        try await withService(sendsMail: true) { client, service in
            _ = try await service.signInNatively(client)
            service.clock.advance(by: .seconds(60))
            let cookie = try await service.signInWithBrowser(client)
            let path = try await service.link(.newDevice)
            let ended = try await client.post(path, form: "", cookies: [cookie], site: "same-origin")
            #expect(ended.status == .ok && ended.text.contains("It is signed out there"))
            #expect(try await client.page("/account/sessions", cookies: [cookie]).status == .seeOther)
        }
    }
}
