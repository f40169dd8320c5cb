import AccountAPI
import AccountHTTP
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The ways in to an account", .eachEngine)
struct LinkCallTests {
    private func credential(
        _ client: TestClient, _ service: TestService, _ token: String, person: String = "johnny",
        hideEmail: Bool = false, consent: String? = nil
    ) async throws -> AppleLinkRequest {
        // Identities are listed in the order in which they came.
        service.clock.advance(by: .seconds(1))
        let nonce = try await service.challenge(client, for: "link", token: token)
        let fields = try await service.apple.authorize([
            "person": person, "clientID": TestService.app.rawValue, "native": true, "scope": "name email",
            "nonce": service.hash(nonce), "hideEmail": hideEmail,
        ])
        return AppleLinkRequest(
            identityToken: fields["id_token"], authorizationCode: fields["code"], nonce: nonce,
            consent: consent.map { ConsentGivenBody(textVersion: $0) })
    }

    private func links(_ client: TestClient, _ token: String) async throws -> [LinkBody] {
        try await client.send(.get, "/v1/links", [.authorization: "Bearer \(token)"]).decode(LinkListAnswer.self).links
    }

    @Test("An Apple Account is added to an address, and either signs in")
    func links() async throws {
        try await withPasswords { client, service in
            let before = try await service.signUpByApp(client)
            let token = before.session.accessToken
            let first = try await links(client, token)
            #expect(first.map(\.provider) == ["email"] && first[0].current && first[0].hasPassword)
            #expect(first[0].address == TestService.ann && first[0].team == nil)
            let body = try await credential(client, service, token)
            let linked = try await client.post("/v1/link/apple", json: body, token: token)
                .decode(LinkListAnswer.self).links
            #expect(linked.map(\.provider) == ["email", "apple"] && linked.map(\.current) == [true, false])
            #expect(linked[1].team != nil)
            #expect(try await links(client, token) == linked)
            let apple = try await service.signInNatively(client)
            #expect(apple.account.id == before.account.id && !apple.isNewAccount)
            #expect(try await links(client, apple.session.accessToken).map(\.current) == [false, true])
            let headers: HTTPFields = [.authorization: "Bearer \(token)"]
            let account = try await client.send(.get, "/v1/account", headers).decode(AccountAnswer.self).account
            #expect(account.waysIn == WaysInBody(apple: true, email: TestService.ann, hasPassword: true))
        }
    }

    @Test("A way in is removed, but not the last, and an id that isn't the account's is unknown")
    func unlinks() async throws {
        try await withPasswords { client, service in
            let token = try await service.signUpByApp(client).session.accessToken
            let headers: HTTPFields = [.authorization: "Bearer \(token)"]
            let email = try await links(client, token)[0].id
            try await client.send(.delete, "/v1/links/\(email)", headers).expectError(.lastWayIn, 409)
            let body = try await credential(client, service, token)
            let apple = try await client.post("/v1/link/apple", json: body, token: token)
                .decode(LinkListAnswer.self).links[1].id
            for id in ["idn_00000000000000000000000000", "nothing", "ses_1"] {
                try await client.send(.delete, "/v1/links/\(id)", headers).expectError(.identityUnknown, 404)
            }
            let removed = try await client.send(.delete, "/v1/links/\(apple)", headers).decode(UnlinkAnswer.self)
            #expect(removed.links.map(\.id) == [email] && !removed.endsSession && removed.manualRemoval == nil)
            try await client.send(.delete, "/v1/links/\(apple)", headers).expectError(.identityUnknown, 404)
            let again = try await credential(client, service, token)
            #expect(try await client.post("/v1/link/apple", json: again, token: token).status == .ok)
            let own = try await client.send(.delete, "/v1/links/\(email)", headers).decode(UnlinkAnswer.self)
            #expect(own.endsSession && own.links.map(\.provider) == ["apple"])
            try await client.send(.get, "/v1/links", headers).expectError(.sessionEnded, 401)
        }
    }

    @Test("A hidden address needs consent, and the same credential works with it")
    func consent() async throws {
        try await withPasswords { client, service in
            let token = try await service.signUpByApp(client).session.accessToken
            var body = try await credential(client, service, token, hideEmail: true)
            let refused = try await client.post("/v1/link/apple", json: body, token: token)
                .expectError(.consentRequired, 409)
            guard case .consentRequired(let required) = refused.details else {
                Issue.record("no details")
                return
            }
            body.consent = ConsentGivenBody(textVersion: required.textVersion)
            #expect(try await client.post("/v1/link/apple", json: body, token: token).status == .ok)
        }
    }

    @Test("Another account's Apple Account, an old sign-in and a foreign challenge are refused")
    func refused() async throws {
        try await withService { client, service in
            let zoe = try await service.signInNatively(client, person: "zoe").session.accessToken
            let token = try await service.signInNatively(client).session.accessToken
            try await client.post(
                "/v1/link/apple", json: try await credential(client, service, token, person: "zoe"), token: token
            ).expectError(.credentialAlreadyInUse, 409)
            let foreign = try await credential(client, service, zoe)
            try await client.post("/v1/link/apple", json: foreign, token: token).expectError(.challengeInvalid, 401)
            let id = try await links(client, token)[0].id
            service.clock.advance(by: .seconds(301))
            let late = try await credential(client, service, token)
            try await client.post("/v1/link/apple", json: late, token: token).expectError(.requiresRecentLogin, 403)
            try await client.send(.delete, "/v1/links/\(id)", [.authorization: "Bearer \(token)"])
                .expectError(.requiresRecentLogin, 403)
            try await client.post("/v1/link/apple", json: late).expectError(.accessTokenMissing, 401)
        }
    }

    @Test("A handle signs in to the other account, once, in the session that tried the link")
    func handle() async throws {
        try await withPasswords { client, service in
            let apple = try await service.signInNatively(client)
            let before = try await service.signUpByApp(client)
            let token = before.session.accessToken
            let body = try await credential(client, service, token)
            let refused = try await client.post("/v1/link/apple", json: body, token: token)
                .expectError(.credentialAlreadyInUse, 409)
            guard case .credentialAlreadyInUse(let conflict) = refused.details else {
                Issue.record("no details")
                return
            }
            #expect(conflict.expiresAt == APITime(service.clock.now.addingTimeInterval(300)))
            let request = HandleSignInRequest(handle: conflict.handle, deviceName: "Ann’s phone")
            let foreign = apple.session.accessToken
            try await client.post("/v1/sign-in/handle", json: request, token: foreign).expectError(.handleInvalid, 401)
            try await client.post("/v1/sign-in/handle", json: HandleSignInRequest(handle: "no"), token: token)
                .expectError(.handleInvalid, 401)
            try await client.post("/v1/sign-in/handle", json: request).expectError(.accessTokenMissing, 401)
            let done = try await client.post("/v1/sign-in/handle", json: request, token: token)
                .decode(SignInAnswer.self)
            #expect(done.account.id == apple.account.id && !done.isNewAccount)
            try await client.post("/v1/sign-in/handle", json: request, token: token).expectError(.sessionEnded, 401)
            #expect(try await links(client, done.session.accessToken).map(\.provider) == ["apple"])
        }
    }

    @Test("An address and a password are added by a mailed link, in the session that asked")
    func password() async throws {
        try await withPasswords { client, service in
            let apple = try await service.signInNatively(client)
            let token = apple.session.accessToken
            let request = PasswordLinkRequest(email: TestService.ann, password: TestPassword.good)
            try await client.post("/v1/link/password", json: request).expectError(.accessTokenMissing, 401)
            service.clock.advance(by: .seconds(1))
            #expect(try await client.post("/v1/link/password", json: request, token: token).status == .accepted)
            let secret = try await service.secret(.linkAddress)
            let page = try await client.page("/email-links/\(secret)")
            #expect(page.status == .ok && page.text.contains("Open this link where you asked for it"))
            let described = try await client.post("/v1/email-links", json: try service.json(["link": secret]))
                .decode(EmailLinkAnswer.self)
            #expect(described.purpose == .link && described.address == nil && !described.needsEmail)
            let other = try await service.signInNatively(client).session.accessToken
            let finish = PasswordLinkFinishRequest(link: secret)
            try await client.post("/v1/link/password/finish", json: finish, token: other).expectError(.linkUnknown, 404)
            let linked = try await client.post("/v1/link/password/finish", json: finish, token: token)
                .decode(LinkListAnswer.self).links
            #expect(linked.map(\.provider) == ["apple", "email"] && linked[1].hasPassword)
            let signIn = try service.json(["email": TestService.ann, "password": TestPassword.good])
            let done = try await client.post("/v1/sign-in/password", json: signIn).decode(SignInAnswer.self)
            #expect(done.account.id == apple.account.id)
            let again = PasswordLinkRequest(email: "other@example.com", password: TestPassword.good)
            try await client.post("/v1/link/password", json: again, token: token).expectError(.alreadyLinked, 409)
        }
    }

    @Test("Pages ask for the way in that opened the session")
    func pages() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            let token = try await client.post(
                "/v1/sign-in/password",
                json: try service.json(["email": TestService.ann, "password": TestPassword.good])
            ).decode(SignInAnswer.self).session.accessToken
            let body = try await credential(client, service, token)
            #expect(try await client.post("/v1/link/apple", json: body, token: token).status == .ok)
            let account = try await client.page("/account", cookies: [cookie]).text
            #expect(account.contains("Sign in with Apple, or: Your email address and a password"))
            #expect(account.contains("/account/password"))
            service.clock.advance(by: .seconds(301))
            #expect(try await client.page("/account/delete", cookies: [cookie]).text.contains(#"name="password""#))
        }
    }
}
