import AccountAPI
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@Suite("An authorization in the browser", .eachEngine)
struct AuthorizationPageTests {
    @Test("The page names the app and asks Apple only after a click; its form may lead to Apple")
    func page() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let path = app.path(of: try await app.begin())
            let page = try await client.page(path)
            #expect(page.status == .ok)
            #expect(page.text.contains("Sign in to Juice &amp; Co"))
            #expect(page.text.contains("action=\"\(path)\""))
            #expect(page.headers[.setCookie] == nil)
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(page.header("Refresh") == nil)
            #expect(
                page.headers[values: .contentSecurityPolicy] == [
                    "default-src 'none'; style-src 'self'; img-src 'self'; "
                        + "form-action 'self' \(TestService.emulatorURL); frame-ancestors 'none'; base-uri 'none'"
                ])
        }
    }

    @Test("Before Apple itself the form may lead to Apple's two hosts, and to no emulator")
    func policy() async throws {
        try await withService(.juice(emulatorURL: nil)) { client, service in
            let app = TestAuthorization(client: client, service: service)
            let page = try await client.page(app.path(of: try await app.begin()))
            #expect(
                page.headers[.contentSecurityPolicy]?.contains(
                    "form-action 'self' https://appleid.apple.com https://account.apple.com;") == true)
        }
    }

    @Test("A click sends the browser to Apple, with a cookie that it brings back")
    func click() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let answer = try await app.click(app.path(of: try await app.begin()))
            #expect(answer.status == .seeOther)
            let location = try #require(answer.headers[.location])
            #expect(location.hasPrefix(TestService.emulatorURL + "/auth/authorize?"))
            let query = try TestAuthorization.query(of: location)
            #expect(query["client_id"] == TestService.web.rawValue)
            #expect(query["nonce"] == "of-the-app" && query["state"] != "of-the-app")
            #expect(answer.headers[values: .setCookie].count == 1)
            #expect(answer.headers[.setCookie]?.hasPrefix("__Host-siwa-browser=") == true)
        }
    }

    @Test(
        "A click that doesn't come from our page is refused", arguments: ["cross-site", "same-site", "none", nil])
    func crossSite(site: String?) async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let answer = try await client.post(
                app.path(of: try await app.begin()), form: "", site: site, origin: TestService.emulatorURL)
            answer.expectErrorPage(403, "That came from somewhere else")
            #expect(answer.headers[.setCookie] == nil)
        }
    }

    @Test("The app gets handle and id at its redirect URI, and the credential for them once")
    func whole() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let authorization = try await app.begin()
            let query = try await app.comeBack(authorization)
            #expect(Set(query.keys) == ["handle", "id"] && query["id"] == authorization.id)
            let answer = try await app.redeem(handle: try #require(query["handle"]))
            #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
            let json = try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
            #expect(
                Set(json.keys) == [
                    "user", "identityToken", "authorizationCode", "email", "fullName", "scope", "state",
                ])
            let credential = try answer.decode(AuthorizationCredentialBody.self)
            #expect(credential.state == "of-the-app" && credential.scope == "name email")
            #expect(credential.fullName?.givenName == "Johnny" && credential.email?.isEmpty == false)
            #expect(credential.authorizationCode?.hasPrefix("siwa_c1.") == true)
            try await app.redeem(handle: try #require(query["handle"])).expectError(.handleInvalid, 401)
        }
    }

    @Test("The redeemed credential signs in like a credential from Apple")
    func signIn() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let nonce = UUID().uuidString
            var request = app.request()
            request.nonce = service.hash(nonce)
            let authorization: RedirectAuthorizationAnswer =
                try await client.post("/v1/authorizations", json: request).decode()
            let query = try await app.comeBack(authorization)
            let credential: AuthorizationCredentialBody =
                try await app.redeem(handle: try #require(query["handle"])).decode()
            let answer = try await client.post(
                "/v1/sign-in/apple",
                json: NativeSignInRequest(
                    identityToken: credential.identityToken, authorizationCode: credential.authorizationCode,
                    nonce: nonce, fullName: credential.fullName))
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(try answer.decode(SignInAnswer.self).account.name?.formatted == "Johnny Appleseed")
        }
    }

    @Test("A cancelled sign-in is shown on the page, and told to the app")
    func cancel() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let authorization = try await app.begin()
            let (path, cookie) = try await app.finish(try await app.click(app.path(of: authorization)), "cancel")
            let page = try await client.page(path, cookies: [cookie])
            #expect(page.status == .ok && page.text.contains("Sign-in cancelled"))
            let query = try await app.leave(page, cookies: [cookie])
            #expect(query == ["error": "cancelled", "id": authorization.id])
        }
    }

    @Test("A failure at Apple is shown on the page, and the app gets its code")
    func failure() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let authorization = try await app.begin()
            let click = try await app.click(app.path(of: authorization))
            service.apple.outage = .tokens
            let (path, cookie) = try await app.finish(click)
            let page = try await client.page(path, cookies: [cookie])
            #expect(page.text.contains("Sign-in didn’t work"))
            let query = try await app.leave(page, cookies: [cookie])
            #expect(query == ["error": "apple_unavailable", "id": authorization.id])
        }
    }

    @Test("The last page leads back by itself and by a link, for two minutes, with a fresh handle each time")
    func again() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let authorization = try await app.begin()
            let (path, cookie) = try await app.finish(try await app.click(app.path(of: authorization)))
            #expect(path == "/authorizations/\(authorization.id)/done")
            let page = try await client.page(path, cookies: [cookie])
            #expect(page.header("Refresh") == "2; url=/authorizations/\(authorization.id)/return")
            #expect(
                page.text.contains(#"href="/authorizations/\#(authorization.id)/return">Return to Juice &amp; Co</a>"#))
            let first = try await app.leave(page, cookies: [cookie])
            service.clock.advance(by: .seconds(90))
            let second = try await app.leave(try await client.page(path, cookies: [cookie]), cookies: [cookie])
            #expect(first["handle"] != second["handle"])
            try await app.redeem(handle: try #require(first["handle"])).expectError(.handleInvalid, 401)
            #expect(try await app.redeem(handle: try #require(second["handle"])).status == .ok)
            // Nothing is left to bring.
            let over = try await client.page(path, cookies: [cookie])
            #expect(over.status == .ok && over.header("Refresh") == nil && !over.text.contains("/return"))
            #expect(over.text.contains("This page has done its work"))
        }
    }

    @Test("A HEAD request for a page uses nothing up")
    func look() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let authorization = try await app.begin()
            let start = app.path(of: authorization)
            #expect(try await client.send(.head, start).status == .ok)
            let (path, cookie) = try await app.finish(try await app.click(start))
            let query = try await app.leave(try await client.page(path, cookies: [cookie]), cookies: [cookie])
            for (looked, status) in [(start + "/return", HTTPResponse.Status.seeOther), (path, .ok)] {
                let answer = try await client.send(.head, looked, [.cookie: cookie])
                #expect(answer.status == status && answer.text.isEmpty)
                #expect(answer.headers[.location] == (status == .seeOther ? path : nil))
            }
            #expect(try await app.redeem(handle: try #require(query["handle"])).status == .ok)
        }
    }

    @Test("The browser's cookie lasts until the last page, even if Apple answers late")
    func lateAnswer() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let click = try await app.click(app.path(of: try await app.begin()))
            let setting = try #require(click.headers[.setCookie])
            let lifetime = try #require(setting.firstMatch(of: #/Max-Age=([0-9]+);/#).flatMap { Int($0.1) })
            service.clock.advance(by: .seconds(599))
            let (path, cookie) = try await app.finish(click)
            service.clock.advance(by: .seconds(119))
            #expect(lifetime > 599 + 119)
            let page = try await client.page(path, cookies: [cookie])
            #expect(try await app.leave(page, cookies: [cookie])["handle"] != nil)
        }
    }

    @Test("After two minutes the last page says that its time is over, and its link leads to it")
    func tooLate() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let authorization = try await app.begin()
            let (path, cookie) = try await app.finish(try await app.click(app.path(of: authorization)))
            service.clock.advance(by: .seconds(121))
            let answer = try await client.page("/authorizations/\(authorization.id)/return", cookies: [cookie])
            #expect(answer.status == .seeOther && answer.headers[.location] == path)
            let page = try await client.page(path, cookies: [cookie])
            #expect(page.header("Refresh") == nil)
            #expect(page.text.contains("begin again in Juice &amp; Co"))
        }
    }

    @Test(
        "Another browser learns nothing from the last page, and one without cookies is told why",
        arguments: [true, false])
    func otherBrowser(hasCookie: Bool) async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let authorization = try await app.begin()
            let (path, _) = try await app.finish(try await app.click(app.path(of: authorization)))
            let other = try #require(try await client.page("/sign-in/apple").cookie("__Host-siwa-browser"))
            for path in [path, "/authorizations/\(authorization.id)/return"] {
                let answer = try await client.page(path, cookies: hasCookie ? [other] : [])
                answer.expectErrorPage(
                    hasCookie ? 403 : 400, hasCookie ? "Another browser began this" : "Cookies are blocked")
                #expect(answer.headers[.location] == nil)
            }
        }
    }

    @Test(
        "An app with another kind of redirect URI is reached there",
        arguments: [
            ("https://juice.example.com/signed-in?from=siwa", "https://juice.example.com/signed-in?from=siwa&"),
            ("com.example.juice:/signed-in", "com.example.juice:/signed-in?"),
        ])
    func targets(target: String, start: String) async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let authorization = try await app.begin(redirectURI: target)
            let (_, cookie) = try await app.finish(try await app.click(app.path(of: authorization)))
            let answer = try await client.page("/authorizations/\(authorization.id)/return", cookies: [cookie])
            #expect(answer.headers[.location]?.hasPrefix(start) == true)
        }
    }

    @Test(
        "A page of an unknown authorization says that the sign-in is over",
        arguments: [
            "/authorizations/x", "/authorizations/aut_x", "/authorizations/ses_x/done", "/authorizations/aut_x/return",
            "/authorizations/%00", "/authorizations/aut_\(String(repeating: "a", count: 26))",
        ])
    func unknown(path: String) async throws {
        try await withService { client, _ in
            let answer = try await client.page(path)
            answer.expectErrorPage(400, "This sign-in is over")
            // If an app opened the page, there is no way on from here.
            #expect(!answer.text.contains("Try again"))
        }
    }

    @Test("The page and its click are good for ten minutes")
    func expired() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let path = app.path(of: try await app.begin())
            service.clock.advance(by: .seconds(601))
            try await client.page(path).expectErrorPage(400, "This sign-in is over")
            try await app.click(path).expectErrorPage(400, "This sign-in is over")
        }
    }

    @Test("After ten minutes Apple's answer makes no sign-in, and the app is told")
    func answerTooLate() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let authorization = try await app.begin()
            service.clock.advance(by: .seconds(300))
            let click = try await app.click(app.path(of: authorization))
            service.clock.advance(by: .seconds(301))
            let (path, cookie) = try await app.finish(click)
            let page = try await client.page(path, cookies: [cookie])
            #expect(page.status == .ok && page.text.contains("That took too long"))
            let query = try await app.leave(page, cookies: [cookie])
            #expect(query == ["error": "expired", "id": authorization.id])
        }
    }

    @Test("The browser's own session isn't needed, and doesn't change")
    func sessions() async throws {
        try await withService { client, service in
            let session = try await service.signInWithBrowser(client)
            let app = TestAuthorization(client: client, service: service)
            let authorization = try await app.begin()
            let click = try await app.click(app.path(of: authorization), cookies: [session])
            _ = try await app.finish(click)
            #expect(try await client.page("/account", cookies: [session]).status == .ok)
        }
    }
}
