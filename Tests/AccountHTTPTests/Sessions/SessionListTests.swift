import AccountAPI
import AccountHTTP
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("The list of sessions", .eachEngine)
struct SessionListTests {
    private func list(_ client: TestClient, _ token: String, _ query: String = "") async throws -> SessionListAnswer {
        let answer = try await client.send(.get, "/v1/sessions\(query)", [.authorization: "Bearer \(token)"])
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.decode()
    }

    private func delete(_ client: TestClient, _ path: String, _ token: String) async throws -> TestResponse {
        try await client.send(.delete, path, [.authorization: "Bearer \(token)"])
    }

    @Test("shows the caller's own, newest first, with the device as its client names it, and marks the current one")
    func all() async throws {
        try await withService { client, service in
            let browser = try await service.signInWithBrowser(client)
            service.clock.advance(by: .seconds(60))
            var credential = try await service.nativeCredential()
            credential.deviceName = "  Johnny's\u{202E} iPad\n"
            let app: SignInAnswer = try await client.post("/v1/sign-in/apple", json: credential).decode()
            let answer = try await list(client, app.session.accessToken)
            #expect(answer.next == nil)
            #expect(answer.sessions.map(\.kind) == ["tokens", "browser"])
            #expect(answer.sessions.map(\.current) == [true, false])
            #expect(answer.sessions.map(\.deviceName) == ["Johnny's iPad", nil])
            #expect(answer.sessions.map(\.clientID) == [TestService.app.rawValue, TestService.web.rawValue])
            let first = try #require(answer.sessions.first)
            #expect(first.id.hasPrefix("ses_") && first.createdAt == first.lastUsedAt)
            #expect(first.expiresAt.secondsSince1970 == first.createdAt.secondsSince1970 + 30 * 86_400)
            #expect(try await client.page("/account/sessions", cookies: [browser]).text.contains("Johnny&#39;s iPad"))
        }
    }

    @Test("takes a browser's name from what it tells of itself, and a device's from its refresh")
    func names() async throws {
        try await withService { client, service in
            let app = try await service.signInNatively(client)
            let refreshed: RefreshAnswer = try await client.post(
                "/v1/session/refresh",
                json: RefreshRequest(refreshToken: app.session.refreshToken, deviceName: "Kitchen")
            ).decode()
            service.clock.advance(by: .seconds(1))
            let (cookie, form) = try await service.answerOfApple(client)
            var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .cookie: cookie]
            headers[.userAgent] = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"
            _ = try await client.send(.post, "/sign-in/apple/callback", headers, body: .init(string: form))
            let names = try await list(client, refreshed.session.accessToken).sessions.map(\.deviceName)
            #expect(names == ["Firefox on Linux", "Kitchen"])
        }
    }

    @Test("tells from which address and to which app each sign-in was, in JSON and on the page")
    func facts() async throws {
        var configuration = AccountHTTPConfiguration.juice()
        configuration.trustedProxies = ["127.0.0.0/8", "::1"].compactMap(AddressRange.init)
        try await withService(configuration, over: .live) { client, service in
            func headers(_ type: String, from address: String) throws -> HTTPFields {
                var headers: HTTPFields = [.contentType: type]
                headers[try #require(HTTPField.Name("X-Forwarded-For"))] = address
                return headers
            }
            let body = String(decoding: try JSONEncoder().encode(try await service.nativeCredential()), as: UTF8.self)
            let app: SignInAnswer = try await client.send(
                .post, "/v1/sign-in/apple", headers("application/json", from: "203.0.113.7"),
                body: ByteBuffer(string: body)
            ).decode()
            service.clock.advance(by: .seconds(60))
            let (cookie, form) = try await service.answerOfApple(client)
            var fields = try headers("application/x-www-form-urlencoded", from: "2001:db8::7")
            fields[.cookie] = cookie
            let finished = try await client.send(
                .post, "/sign-in/apple/callback", fields, body: ByteBuffer(string: form))
            let browser = try #require(finished.cookie("__Host-siwa-session"))
            let sessions = try await list(client, app.session.accessToken).sessions
            #expect(sessions.map(\.signInAddress) == ["2001:db8::7", "203.0.113.7"])
            #expect(sessions.map(\.appName) == ["Juice & Co", "Juice & Co"])
            let page = try await client.page("/account/sessions", cookies: [browser])
            for text in ["2001:db8::7", "203.0.113.7", "Juice &amp; Co", " UTC</time>"] {
                #expect(page.text.contains(text), "\(text)")
            }
            // The page's one script, by its whole address.
            let script = try #require(page.text.firstMatch(of: /src="(.*?)"/)?.1)
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("script-src \(TestService.publicURL)\(script); style-src"))
            #expect(try await client.send(.get, String(script)).status == .ok)
        }
    }

    @Test("has null for what is not known of a session")
    func unknownFacts() async throws {
        try await withService(apps: []) { client, service in
            let app = try await service.signInNatively(client)
            let answer = try await client.send(
                .get, "/v1/sessions", [.authorization: "Bearer \(app.session.accessToken)"])
            #expect(answer.text.contains(#""signInAddress":null"#) && answer.text.contains(#""appName":null"#))
        }
    }

    @Test("comes in pages of fifty")
    func pages() async throws {
        try await withService { client, service in
            let app = try await service.signInNatively(client)
            let account = AccountID(rawValue: app.account.id)
            service.clock.advance(by: .seconds(1))
            for _ in 0..<52 { _ = try await service.signInNatively(client) }
            let first = try await list(client, app.session.accessToken)
            #expect(first.sessions.count == 50)
            let next = try #require(first.next)
            let second = try await list(client, app.session.accessToken, "?before=\(next)")
            #expect(second.sessions.count == 3 && second.next == nil)
            #expect(Set((first.sessions + second.sessions).map(\.id)).count == 53)
            #expect(second.sessions.contains { $0.current })
            #expect(try await service.domain.sessions.list(of: account).sessions.count == 50)
            let answer = try await client.send(
                .get, "/v1/sessions?before=acc_1", [.authorization: "Bearer \(app.session.accessToken)"])
            try answer.expectError(.invalidRequest, 400, field: "before")
        }
    }

    @Test("ends one session, whose tokens are then refused, and not another person's")
    func end() async throws {
        try await withService { client, service in
            let (mine, other) = try await (service.signInNatively(client), service.signInNatively(client))
            let id = try #require(try await list(client, other.session.accessToken).sessions.first { $0.current }?.id)
            #expect(try await delete(client, "/v1/sessions/\(id)", mine.session.accessToken).status == .noContent)
            let refused = try await client.send(
                .get, "/v1/sessions", [.authorization: "Bearer \(other.session.accessToken)"])
            try refused.expectError(.sessionEnded, 401)
            for unknown in [id, "ses_00000000000000000000000000", "nonsense"] {
                try await delete(client, "/v1/sessions/\(unknown)", mine.session.accessToken)
                    .expectError(.sessionUnknown, 404)
            }
        }
    }

    @Test("ends all other sessions, or all of them")
    func endAll() async throws {
        try await withService { client, service in
            let mine = try await service.signInNatively(client)
            let browser = try await service.signInWithBrowser(client)
            let token = mine.session.accessToken
            try await delete(client, "/v1/sessions?except=none", token).expectError(
                .invalidRequest, 400, field: "except")
            #expect(try await delete(client, "/v1/sessions?except=current", token).status == .noContent)
            #expect(try await client.page("/account", cookies: [browser]).status == .seeOther)
            #expect(try await list(client, token).sessions.count == 1)
            try await delete(client, "/v1/sessions?except=%zz", token).expectError(
                .invalidRequest, 400, field: "except")
            try await client.send(.get, "/v1/sessions?before=%zz", [.authorization: "Bearer \(token)"])
                .expectError(.invalidRequest, 400, field: "before")
            #expect(try await delete(client, "/v1/sessions", token).status == .noContent)
            try await delete(client, "/v1/sessions", token).expectError(.sessionEnded, 401)
        }
    }

    @Test("needs an access token, and takes no cookie", arguments: ["/v1/sessions", "/v1/sessions/ses_1"])
    func noToken(path: String) async throws {
        try await withService { client, service in
            let browser = try await service.signInWithBrowser(client)
            try await client.send(.delete, path, [.cookie: browser]).expectError(.accessTokenMissing, 401)
        }
    }

    @Test("on a page ends a session by this site's own form, and signs out if it is the browser's")
    func page() async throws {
        try await withService { client, service in
            let app = try await service.signInNatively(client)
            let browser = try await service.signInWithBrowser(client)
            let sessions = try await list(client, app.session.accessToken).sessions
            let id = try #require(sessions.first { $0.current }?.id)
            let own = try #require(sessions.first { !$0.current }?.id)
            let html = try await client.page("/account/sessions", cookies: [browser]).text
            #expect(html.contains("This browser") && html.contains(id))
            #expect(html.contains("Sign out everywhere else…"))

            let path = "/account/sessions/\(id)/end"
            let foreign = try await client.post(path, form: "", cookies: [browser], site: "cross-site")
            foreign.expectErrorPage(403, "<h1")
            #expect(try await list(client, app.session.accessToken).sessions.count == 2)
            for _ in 0..<2 {
                let ended = try await client.post(path, form: "", cookies: [browser], site: "same-origin")
                #expect(ended.status == .seeOther && ended.headers[.location] == "/account/sessions")
            }
            #expect(try await client.page("/account/sessions", cookies: [browser]).text.contains(id) == false)
            let out = try await client.post(
                "/account/sessions/\(own)/end", form: "", cookies: [browser], site: "same-origin")
            #expect(out.headers[.location] == "/?signed-out")
            #expect(out.cookie("__Host-siwa-session") == "__Host-siwa-session=")
            let signedOut = try await client.page("/account/sessions", cookies: [browser])
            #expect(signedOut.headers[.location] == "/?return=/account/sessions")
        }
    }

    @Test("on a page says so if the address names an unknown session")
    func nonsense() async throws {
        try await withService { client, service in
            let browser = try await service.signInWithBrowser(client)
            let answer = try await client.post(
                "/account/sessions/nonsense/end", form: "", cookies: [browser], site: "same-origin")
            answer.expectErrorPage(404, "Nobody is signed in there")
            #expect(answer.text.contains(#"href="/account/sessions""#))
        }
    }

    @Test("on a page ends all others")
    func endOthers() async throws {
        try await withService { client, service in
            let app = try await service.signInNatively(client)
            let browser = try await service.signInWithBrowser(client)
            let path = "/account/sessions/end-others"
            let question = try await client.page(path, cookies: [browser])
            #expect(question.status == .ok && question.text.contains("Sign out everywhere else?"))
            #expect(question.text.contains(#"method="post" action="\#(path)""#))
            #expect(try await list(client, app.session.accessToken).sessions.count == 2)
            let ended = try await client.post(path, form: "", cookies: [browser], site: "same-origin")
            #expect(ended.headers[.location] == "/account/sessions")
            let refused = try await client.send(
                .get, "/v1/sessions", [.authorization: "Bearer \(app.session.accessToken)"])
            try refused.expectError(.sessionEnded, 401)
            let rest = try await client.page("/account/sessions", cookies: [browser]).text
            #expect(!rest.contains("Sign out everywhere else"))
        }
    }
}
