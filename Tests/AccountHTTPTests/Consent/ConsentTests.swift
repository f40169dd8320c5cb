import AccountAPI
import AccountHTTP
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("Consents", .eachEngine)
struct ConsentTests {
    private func bearing(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }

    private func consents(_ client: TestClient, _ token: String) async throws -> [ConsentBody] {
        let answer = try await client.send(.get, "/v1/consents", bearing(token))
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.decode(ConsentListAnswer.self).consents
    }

    /// Zoë hides her address, and agrees to the text.
    /// - Returns: her access token.
    private func agree(_ client: TestClient, _ service: TestService) async throws -> String {
        let token = try await service.signInNatively(client, person: "zoe", hideEmail: true).session.accessToken
        let json = """
            {"phone":"+4930123456","contactEmail":"zoe@example.com","consent":{"textVersion":"2"}}
            """
        let answer = try await client.patch("/v1/account", json: json, token: token)
        try #require(answer.status == .ok, "\(answer.text)")
        return token
    }

    @Test(
        "The text is there for everybody, in a language that the reader knows",
        arguments: [
            (nil, "en"), ("de", "de"), ("de-CH, fr;q=0.9", "de"), ("fr, de;q=0.2", "de"), ("fr", "en"),
            ("de;q=0, en", "en"), (";;,q=", "en"),
        ] as [(String?, String)])
    func text(accepted: String?, language: String) async throws {
        try await withService { client, _ in
            for version in ["current", "2"] {
                var headers: HTTPFields = [:]
                headers[.acceptLanguage] = accepted
                let answer = try await client.send(.get, "/v1/consent-texts/\(version)", headers)
                #expect(answer.status == .ok && answer.headers[.vary] == "Accept-Language")
                let text = try answer.decode(ConsentTextAnswer.self)
                #expect(text.version == "2" && text.language == language && text.text.count > 100)
                #expect(answer.headers[.contentLanguage] == language)
            }
        }
    }

    @Test("A text that isn't there is not found", arguments: ["3", "..", "2.en", "%00", "CURRENT"])
    func noText(version: String) async throws {
        try await withService { client, _ in
            try await client.send(.get, "/v1/consent-texts/\(version)").expectError(.consentTextUnknown, 404)
        }
    }

    @Test("A consent has its purpose, text, time, device and app")
    func list() async throws {
        try await withService(sendsMail: true) { client, service in
            let token = try await agree(client, service)
            let list = try await consents(client, token)
            #expect(Set(list.map(\.purpose)) == [.contactEmail, .phone])
            for consent in list {
                #expect(consent.id.hasPrefix("con_") && consent.textVersion == "2" && consent.withdrawnAt == nil)
                #expect(consent.givenAt == APITime(service.clock.now))
                #expect(consent.clientID == TestService.app.rawValue && consent.device == nil)
            }
            let johnny = try await service.signInNatively(client).session.accessToken
            #expect(try await consents(client, johnny).isEmpty)
        }
    }

    @Test("A withdrawal removes what the consent allowed, and nothing else")
    func withdraw() async throws {
        try await withService(sendsMail: true) { client, service in
            let token = try await agree(client, service)
            let list = try await consents(client, token)
            let phone = try #require(list.first { $0.purpose == .phone })
            service.clock.advance(by: .seconds(60))
            let answer = try await client.send(.delete, "/v1/consents/\(phone.id)", bearing(token))
            #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
            let account = try answer.decode(AccountAnswer.self).account
            #expect(account.phone == nil && account.pendingContactEmail == "zoe@example.com")
            let after = try await consents(client, token)
            #expect(after.first { $0.id == phone.id }?.withdrawnAt == APITime(service.clock.now))
            #expect(after.filter { $0.withdrawnAt == nil }.map(\.purpose) == [.contactEmail])
            // A withdrawn consent allows nothing.
            try await client.patch("/v1/account", json: #"{"phone":"+4930123456"}"#, token: token)
                .expectError(.consentRequired, 409)
            try await client.send(.delete, "/v1/consents/\(phone.id)", bearing(token))
                .expectError(.consentUnknown, 404)
        }
    }

    @Test("Another person's consent can't be withdrawn, and no consent is shown without a token")
    func barriers() async throws {
        try await withService(sendsMail: true) { client, service in
            let token = try await agree(client, service)
            let id = try #require(try await consents(client, token).first?.id)
            let johnny = try await service.signInNatively(client).session.accessToken
            for id in [id, "con_00000000000000000000000000", "nonsense"] {
                try await client.send(.delete, "/v1/consents/\(id)", bearing(johnny))
                    .expectError(.consentUnknown, 404)
            }
            let cookie = try await service.signInWithBrowser(client, person: "zoe")
            try await client.send(.get, "/v1/consents", [.cookie: cookie]).expectError(.accessTokenMissing, 401)
            try await client.send(.delete, "/v1/consents/\(id)", [.cookie: cookie])
                .expectError(.accessTokenMissing, 401)
            #expect(try await consents(client, token).allSatisfy { $0.withdrawnAt == nil })
        }
    }

    @Test("The page lists what a person agreed to, asks, and withdraws by a form of this site's own")
    func page() async throws {
        try await withService(sendsMail: true) { client, service in
            let token = try await agree(client, service)
            let cookie = try await service.signInWithBrowser(client, person: "zoe", hideEmail: true)
            let list = try await client.page("/account/consents", cookies: [cookie])
            #expect(list.status == .ok && list.text.contains("Contact address"))
            #expect(list.text.contains(#"lang="en""#) && list.text.contains("Phone number"))
            let id = try #require(try await consents(client, token).first { $0.purpose == .phone }?.id)
            let path = "/account/consents/\(id)/withdraw"
            #expect(list.text.contains(#"href="\#(path)""#))

            let question = try await client.page(path, cookies: [cookie])
            #expect(question.status == .ok && question.text.contains("+4930123456"))
            #expect(try await client.send(.head, path, [.cookie: cookie]).status == .ok)
            try await client.post(path, form: "", cookies: [cookie], site: "cross-site")
                .expectErrorPage(403, "That came from somewhere else")
            #expect(try await consents(client, token).allSatisfy { $0.withdrawnAt == nil })
            for _ in 0..<2 {
                let done = try await client.post(path, form: "", cookies: [cookie], site: "same-origin")
                #expect(done.status == .seeOther && done.headers[.location] == "/account/consents")
            }
            #expect(try await client.page("/account/consents", cookies: [cookie]).text.contains("Withdrawn on"))
            try await client.page(path, cookies: [cookie]).expectErrorPage(404, "You haven’t agreed to this")
            try await client.page("/account/consents/x/withdraw", cookies: [cookie])
                .expectErrorPage(404, "You haven’t agreed to this")
        }
    }

    @Test("The page of a person without consents says so, and a browser without a session is sent away")
    func emptyPage() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let page = try await client.page("/account/consents", cookies: [cookie])
            #expect(page.text.contains("You haven’t agreed to anything."))
            let away = try await client.page("/account/consents")
            #expect(away.headers[.location] == "/?return=/account/consents")
            let form = try await client.post("/account/consents/con_1/withdraw", form: "", site: "same-origin")
            #expect(form.headers[.location] == "/?return=/account/consents")
        }
    }
}
