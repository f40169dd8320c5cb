import AccountAPI
import AccountHTTP
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The upgrade to Sign in with Apple", .eachEngine)
struct UpgradeTests {
    // MARK: In an app

    private func credential(
        _ client: TestClient, _ service: TestService, _ token: String, person: String = "johnny",
        hideEmail: Bool = false, consent: String? = nil
    ) async throws -> AccountUpgradeRequest {
        let nonce = try await service.challenge(client, for: "upgrade", token: token)
        let fields = try await service.apple.authorize([
            "person": person, "clientID": TestService.app.rawValue, "native": true, "scope": "name email",
            "nonce": service.hash(nonce), "hideEmail": hideEmail,
        ])
        return AccountUpgradeRequest(
            identityToken: fields["id_token"], authorizationCode: fields["code"], nonce: nonce,
            consent: consent.map { ConsentGivenBody(textVersion: $0) }, endOtherSessions: true)
    }

    @Test("The account keeps its id, and the password is gone")
    func upgrades() async throws {
        try await withPasswords { client, service in
            let before = try await service.signUpByApp(client)
            let token = before.session.accessToken
            let body = try await credential(client, service, token)
            let done = try await client.post("/v1/account/upgrade", json: body, token: token)
                .decode(AccountUpgradeAnswer.self)
            #expect(done.account.id == before.account.id && done.tokenType == "Bearer" && done.expiresIn == 600)
            let headers: HTTPFields = [.authorization: "Bearer \(done.accessToken)"]
            let account = try await client.send(.get, "/v1/account", headers).decode(AccountAnswer.self).account
            #expect(account.waysIn == WaysInBody(apple: true, email: nil, hasPassword: false))
            #expect(account.contactEmail == TestService.ann)
            let signIn = try service.json(["email": TestService.ann, "password": TestPassword.good])
            try await client.post("/v1/sign-in/password", json: signIn).expectError(.wrongCredentials, 401)
            let apple = try await service.signInNatively(client)
            #expect(apple.account.id == before.account.id && !apple.isNewAccount)
        }
    }

    @Test("An account without a name takes the one that Apple gave the app")
    func takesName() async throws {
        try await withPasswords { client, service in
            let token = try await service.signUpByApp(client).session.accessToken
            var body = try await credential(client, service, token)
            body.fullName = FullName(givenName: "Johnny", familyName: "Appleseed")
            let done = try await client.post("/v1/account/upgrade", json: body, token: token)
                .decode(AccountUpgradeAnswer.self)
            #expect(done.account.name?.formatted == "Johnny Appleseed")
            #expect(done.account.waysIn == WaysInBody(apple: true, email: nil, hasPassword: false))
        }
    }

    @Test("A hidden address needs consent, and the same credential works with it")
    func consent() async throws {
        try await withPasswords { client, service in
            let token = try await service.signUpByApp(client).session.accessToken
            var body = try await credential(client, service, token, hideEmail: true)
            let refused = try await client.post("/v1/account/upgrade", json: body, token: token)
                .expectError(.consentRequired, 409)
            guard case .consentRequired(let required) = refused.details else {
                Issue.record("no details")
                return
            }
            body.consent = ConsentGivenBody(textVersion: required.textVersion)
            #expect(try await client.post("/v1/account/upgrade", json: body, token: token).status == .ok)
            let consents = try await client.send(.get, "/v1/consents", [.authorization: "Bearer \(token)"])
                .decode(ConsentListAnswer.self)
            #expect(consents.consents.map(\.purpose) == [.contactEmail])
        }
    }

    @Test("Another account's Apple Account, an old sign-in, and an account with Apple are refused")
    func refused() async throws {
        try await withPasswords { client, service in
            let apple = try await service.signInNatively(client).session.accessToken
            let token = try await service.signUpByApp(client).session.accessToken
            try await client.post(
                "/v1/account/upgrade", json: try await credential(client, service, token), token: token
            ).expectError(.credentialAlreadyInUse, 409)
            let ofApple = try await credential(client, service, apple, person: "zoe")
            try await client.post("/v1/account/upgrade", json: ofApple, token: apple).expectError(.notByPassword, 409)
            let foreign = try await credential(client, service, apple, person: "zoe")
            try await client.post("/v1/account/upgrade", json: foreign, token: token)
                .expectError(.challengeInvalid, 401)
            service.clock.advance(by: .seconds(301))
            let late = try await credential(client, service, token, person: "zoe")
            try await client.post("/v1/account/upgrade", json: late, token: token)
                .expectError(.requiresRecentLogin, 403)
            let proof = try await client.post(
                "/v1/reauthenticate/password", json: try service.json(["password": TestPassword.good]), token: token
            ).decode(ReauthenticationAnswer.self)
            let again = try await credential(client, service, proof.accessToken, person: "zoe")
            #expect(
                try await client.post("/v1/account/upgrade", json: again, token: proof.accessToken).status == .ok)
        }
    }

    // MARK: On the page

    @Test("The page explains, asks for the password once more, and Apple ends it")
    func page() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client, name: "Ann")
            let other = try #require(try await service.signInOnPage(client).cookie("__Host-siwa-session"))
            service.clock.advance(by: .seconds(400))
            let page = try await client.page("/account/upgrade", cookies: [cookie])
            #expect(page.text.contains("Your password, once more") && page.text.contains("Sign out everywhere else"))
            #expect(page.text.contains(#"type="checkbox" value="2""#))
            let policy = page.header("Content-Security-Policy") ?? ""
            #expect(policy.contains("form-action 'self' \(TestService.emulatorURL)") && !policy.contains("script-src"))
            let wrong = try await client.form(
                "/account/upgrade", ["password": TestPassword.wrong, "consent": "2"], cookies: [cookie])
            #expect(wrong.status == .unauthorized && wrong.text.contains("The password is wrong."))
            #expect(wrong.text.contains(#"value="2" checked"#) && !wrong.text.contains(#"value="yes" checked"#))
            let outdated = try await client.form(
                "/account/upgrade", ["password": TestPassword.wrong, "consent": "1"], cookies: [cookie])
            #expect(outdated.status == .unauthorized && !outdated.text.contains(" checked"))
            let without = try await client.form("/account/upgrade", [:], cookies: [cookie])
            #expect(without.headers[.location] == "/account/upgrade?keep&late")

            let away = try await client.form(
                "/account/upgrade", ["password": TestPassword.good, "endOthers": "yes"], cookies: [cookie])
            #expect(away.headers[.location]?.hasPrefix(TestService.emulatorURL) == true, "\(away.text)")
            let fresh = try #require(away.cookie("__Host-siwa-session"))
            #expect(fresh != cookie)
            let back = try await service.comeBack(client, away)
            #expect(back.status == .seeOther && back.headers[.location] == "/account?upgraded", "\(back.text)")
            let account = try await client.page("/account?upgraded", cookies: [fresh]).text
            #expect(account.contains("You sign in with Apple from now on.") && account.contains("with Apple</p>"))
            #expect(account.contains("ann<wbr>@example.com") && !account.contains("/account/password"))
            #expect(try await client.page("/account", cookies: [other]).status == .seeOther)
            #expect(try await service.signInOnPage(client).status == .unauthorized)
            #expect(try await client.page("/account/upgrade", cookies: [fresh]).headers[.location] == "/account")
        }
    }

    @Test("Others stay signed in if the person says so, and a recent sign-in needs no password")
    func keepsOthers() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            let other = try #require(try await service.signInOnPage(client).cookie("__Host-siwa-session"))
            #expect(
                !(try await client.page("/account/upgrade", cookies: [cookie]).text.contains(#"name="password""#)))
            let away = try await client.form("/account/upgrade", [:], cookies: [cookie])
            let back = try await service.comeBack(client, away)
            #expect(back.headers[.location] == "/account?upgraded")
            for session in [cookie, other] {
                #expect(try await client.page("/account", cookies: [session]).status == .ok)
            }
        }
    }

    @Test("Without consent to a hidden address the page says what to do, and then it works")
    func pageConsent() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            func comeBack(_ fields: [String: String]) async throws -> TestResponse {
                let away = try await client.form("/account/upgrade", fields, cookies: [cookie])
                let location = try #require(away.headers[.location], "\(away.text)")
                let browser = try #require(away.cookie("__Host-siwa-browser"))
                let form = try await service.decide(at: location, hideEmail: true)
                return try await client.post(
                    "/sign-in/apple/callback", form: form, cookies: [browser], site: "cross-site",
                    origin: TestService.emulatorURL)
            }
            let kept = try await comeBack([:])
            #expect(kept.headers[.location] == "/account/upgrade?keep&consent", "\(kept.text)")
            let again = try await client.page("/account/upgrade?keep&consent", cookies: [cookie]).text
            #expect(again.contains("You hid your address at Apple.") && !again.contains(#"value="yes" checked"#))
            let refused = try await comeBack(["endOthers": "yes"])
            #expect(refused.headers[.location] == "/account/upgrade?consent", "\(refused.text)")
            let page = try await client.page("/account/upgrade?consent", cookies: [cookie]).text
            #expect(page.contains("You hid your address at Apple.") && page.contains(#"id="consent-problem""#))
            #expect(page.contains(#"value="yes" checked"#))
            #expect(try await comeBack(["consent": "2"]).headers[.location] == "/account?upgraded")
        }
    }

    @Test("Beside an Apple Account that hides its address, the page always asks for consent")
    func pageConsentBesideHidden() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            func comeBack(
                from path: String, _ fields: [String: String], person: String, hideEmail: Bool
            ) async throws -> TestResponse {
                service.clock.advance(by: .seconds(1))
                let away = try await client.form(path, fields, cookies: [cookie])
                let location = try #require(away.headers[.location], "\(away.text)")
                let browser = try #require(away.cookie("__Host-siwa-browser"))
                let form = try await service.decide(at: location, person: person, hideEmail: hideEmail)
                return try await client.post(
                    "/sign-in/apple/callback", form: form, cookies: [browser], site: "cross-site",
                    origin: TestService.emulatorURL)
            }
            let added = try await comeBack(
                from: "/account/links/apple", ["consent": "2"], person: "johnny", hideEmail: true)
            #expect(added.headers[.location] == "/account/links?added", "\(added.text)")
            let refused = try await comeBack(from: "/account/upgrade", [:], person: "zoe", hideEmail: false)
            #expect(refused.headers[.location] == "/account/upgrade?keep&consent", "\(refused.text)")
            let page = try await client.page("/account/upgrade?keep&consent", cookies: [cookie]).text
            #expect(page.contains("Another Apple Account of yours hides your address."))
            #expect(page.contains("To use your Apple Account, agree to the text above."))
            #expect(!page.contains("You hid your address") && !page.contains("you don’t need to agree"))
            let done = try await comeBack(from: "/account/upgrade", ["consent": "2"], person: "zoe", hideEmail: false)
            #expect(done.headers[.location] == "/account?upgraded", "\(done.text)")
        }
    }

    @Test("Cancel at Apple, and an Apple Account in use, lead back to the page")
    func pageRefusals() async throws {
        try await withPasswords { client, service in
            _ = try await service.signInNatively(client)
            let cookie = try await service.signUpInBrowser(client)
            let away = try await client.form("/account/upgrade", [:], cookies: [cookie])
            let cancelled = try await service.comeBack(client, away, decision: "cancel")
            #expect(cancelled.headers[.location] == "/account/upgrade?keep")
            let used = try await service.comeBack(
                client, try await client.form("/account/upgrade", ["endOthers": "yes"], cookies: [cookie]))
            #expect(used.headers[.location] == "/account/upgrade?used", "\(used.text)")
            let page = try await client.page("/account/upgrade?used", cookies: [cookie])
            #expect(page.status == .ok && page.text.contains("That Apple Account is in use."))
            #expect(try await service.signInOnPage(client).status == .seeOther)
        }
    }

    @Test("An account without a password proves itself by a link first")
    func byLink() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signInByLink(client)
            #expect(try await client.page("/account/upgrade", cookies: [cookie]).text.contains("apple-button"))
            service.clock.advance(by: .seconds(301))
            let page = try await client.page("/account/upgrade", cookies: [cookie]).text
            #expect(page.contains(#"action="/reauthenticate/link""#) && !page.contains("apple-button"))
            #expect(page.contains(#"name="return" value="/account/upgrade""#))
        }
    }
}
