import AccountAPI
import AccountHTTP
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("Two accounts that become one, over HTTP", .eachEngine)
struct MergeCallTests {
    /// Tries to link an Apple Account of another account.
    /// - Returns: the handle for that account.
    private func handle(
        _ client: TestClient, _ service: TestService, _ token: String
    ) async throws -> String {
        let nonce = try await service.challenge(client, for: "link", token: token)
        let fields = try await service.apple.authorize([
            "person": "johnny", "clientID": TestService.app.rawValue, "native": true, "scope": "name email",
            "nonce": service.hash(nonce), "hideEmail": false,
        ])
        let refused = try await client.post(
            "/v1/link/apple",
            json: AppleLinkRequest(
                identityToken: fields["id_token"], authorizationCode: fields["code"], nonce: nonce),
            token: token
        ).expectError(.credentialAlreadyInUse, 409)
        guard case .credentialAlreadyInUse(let conflict)? = refused.details else {
            Issue.record("no details")
            return ""
        }
        return conflict.handle
    }

    @Test("An app shows the list, merges, and sessions of the merged account are told the other")
    func merges() async throws {
        try await withPasswords { client, service in
            let apple = try await service.signInNatively(client)
            let mine = try await service.signUpByApp(client)
            let token = mine.session.accessToken
            let handle = try await handle(client, service, token)
            let path = "/v1/account/merge"
            let preview = MergePreviewRequest(handle: handle)
            try await client.post("\(path)/preview", json: preview).expectError(.accessTokenMissing, 401)
            try await client.post("\(path)/preview", json: MergePreviewRequest(handle: "no"), token: token)
                .expectError(.handleInvalid, 401)
            try await client.post("\(path)/preview", json: preview, token: apple.session.accessToken)
                .expectError(.handleInvalid, 401)
            let plan = try await client.post("\(path)/preview", json: preview, token: token)
                .decode(MergePreviewAnswer.self)
            #expect(plan.from == apple.account.id && plan.into == mine.account.id && plan.consent == nil)
            #expect(plan.moves.links.map(\.provider) == ["apple"] && plan.moves.links[0].current == false)
            #expect(plan.losses.links == [] && plan.losses.sessions == 1)

            let other = MergeRequest(handle: handle, plan: String(plan.plan.reversed()))
            try await client.post(path, json: other, token: token).expectError(.mergeChanged, 409)
            for text in ["", "plan", "\(plan.plan)A"] {
                try await client.post(path, json: MergeRequest(handle: handle, plan: text), token: token)
                    .expectError(.invalidRequest, 400, field: "plan")
            }
            let request = MergeRequest(handle: handle, plan: plan.plan)
            for _ in 1...2 {
                let merged = try await client.post(path, json: request, token: token).decode(MergeAnswer.self)
                #expect(merged.from == apple.account.id && merged.account.id == mine.account.id)
                #expect(merged.account.waysIn == WaysInBody(apple: true, email: TestService.ann, hasPassword: true))
            }

            let headers: HTTPFields = [.authorization: "Bearer \(apple.session.accessToken)"]
            for path in ["/v1/account", "/v1/links", "/v1/account/events"] {
                let gone = try await client.send(.get, path, headers).expectError(.accountMerged, 410)
                guard case .accountMerged(let body)? = gone.details else {
                    Issue.record("no details")
                    return
                }
                #expect(body.into == mine.account.id)
            }
            let refresh = RefreshRequest(refreshToken: apple.session.refreshToken)
            let gone = try await client.post("/v1/session/refresh", json: refresh).expectError(.accountMerged, 410)
            guard case .accountMerged(let body)? = gone.details else {
                Issue.record("no details")
                return
            }
            #expect(body.into == mine.account.id)
            // A forged refresh token learns nothing about the merge.
            let forged = RefreshRequest(refreshToken: String(apple.session.refreshToken.dropLast(4)) + "AAAA")
            let refused = try await client.post("/v1/session/refresh", json: forged)
            #expect(refused.status == .unauthorized && !refused.text.contains(mine.account.id))
            let back = try await service.signInNatively(client)
            #expect(back.account.id == mine.account.id && !back.isNewAccount)
        }
    }

    // MARK: Pages

    /// Tries to add Johnny's Apple Account on the page.
    /// - Returns: the browser's cookie, and the handle of Johnny's account.
    private func conflict(
        _ client: TestClient, _ service: TestService, _ cookie: String, hideEmail: Bool = false
    ) async throws -> (browser: String, handle: String) {
        service.clock.advance(by: .seconds(1))
        let away = try await client.form("/account/links/apple", [:], cookies: [cookie])
        let location = try #require(away.headers[.location], "\(away.text)")
        let browser = try #require(away.cookie("__Host-siwa-browser"))
        let form = try await service.decide(at: location, "continue", person: "johnny", hideEmail: hideEmail)
        let answer = try await client.post(
            "/sign-in/apple/callback", form: form, cookies: [browser], site: "cross-site",
            origin: TestService.emulatorURL)
        let found = answer.text.firstMatch(
            of: /action="\/account\/merge"><input type="hidden" name="handle" value="(.{43})"/)
        return (browser, try #require(found.map { String($0.1) }, "\(answer.text)"))
    }

    /// The confirmation in a page that asks.
    private func plan(in question: TestResponse) throws -> String {
        let found = question.text.firstMatch(of: /name="plan" value="(?<plan>[A-Za-z0-9_-]{43})"/)
        return try #require(found.map { String($0.plan) }, "\(question.text)")
    }

    @Test("A browser sees the list, is told first that there is no way back, and merges by its button alone")
    func page() async throws {
        try await withPasswords { client, service in
            let apple = try await service.signInNatively(client)
            let cookie = try await service.signUpInBrowser(client)
            #expect(try await client.page("/account/merge", cookies: [cookie]).text.contains("can’t be undone"))
            let (browser, handle) = try await conflict(client, service, cookie)
            let cookies = [cookie, browser]
            let question = try await client.form("/account/merge", ["handle": handle], cookies: cookies)
            #expect(question.status == .ok)
            let warning = try #require(question.text.firstRange(of: "can’t be undone"))
            let list = try #require(question.text.firstRange(of: "What comes to this account"))
            #expect(warning.lowerBound < list.lowerBound && question.text.contains("Sign in with Apple"))
            let plan = try plan(in: question)
            #expect(try await service.store.accountCount() == 2)

            let confirm = "/account/merge/confirm"
            let fields = ["handle": handle, "plan": plan]
            let stale = ["handle": handle, "plan": String(plan.reversed())]
            let changed = try await client.form(confirm, stale, cookies: cookies)
            #expect(changed.status == .conflict && changed.text.contains("have changed meanwhile"))
            let unknown = ["handle": String(handle.reversed()), "plan": plan]
            #expect(try await client.form(confirm, unknown, cookies: cookies).status == .unauthorized)
            let foreign = try await service.signInWithBrowser(client, person: "zoe")
            for others in [[cookie], [foreign, browser]] {
                #expect(try await client.form(confirm, fields, cookies: others).status == .unauthorized)
                #expect(
                    try await client.form("/account/merge", fields, cookies: others).status == .unauthorized)
            }
            #expect(try await client.form(confirm, fields, cookies: cookies, site: "cross-site").status == .forbidden)
            #expect(try await service.store.accountCount() == 3)
            let done = try await client.form(confirm, fields, cookies: cookies)
            #expect(done.status == .ok && done.text.contains("You have one account now"), "\(done.text)")
            #expect(try await service.store.accountCount() == 2)
            let headers: HTTPFields = [.authorization: "Bearer \(apple.session.accessToken)"]
            try await client.send(.get, "/v1/account", headers).expectError(.accountMerged, 410)
        }
    }

    @Test("A browser of the merged account is told so once, by any page that needs a session")
    func formerBrowser() async throws {
        try await withPasswords { client, service in
            let former = try await service.signInWithBrowser(client)
            let other = try await service.signInWithBrowser(client)
            let cookie = try await service.signUpInBrowser(client)
            let (browser, handle) = try await conflict(client, service, cookie)
            let cookies = [cookie, browser]
            let question = try await client.form("/account/merge", ["handle": handle], cookies: cookies)
            let fields = ["handle": handle, "plan": try plan(in: question)]
            #expect(try await client.form("/account/merge/confirm", fields, cookies: cookies).status == .ok)

            let page = try await client.page("/account", cookies: [former])
            page.expectErrorPage(410, "You have one account now")
            #expect(page.text.contains("This account was merged into your other one. Sign in again to use that."))
            #expect(page.text.contains(#"href="/">"#) && !page.text.contains("acc_"))
            #expect(page.cookie("__Host-siwa-session") == "__Host-siwa-session=")
            let next = try await client.page("/account")
            #expect(next.status == .seeOther && next.headers[.location] == "/?return=/account")

            let form = try await client.form("/account/profile/name", ["givenName": "Ann"], cookies: [other])
            form.expectErrorPage(410, "You have one account now")
            #expect(form.cookie("__Host-siwa-session") == "__Host-siwa-session=")
            // The start page needs no session.
            #expect(try await client.page("/", cookies: [other]).status == .ok)
        }
    }

    @Test("The page asks for consent where an account hides its address")
    func consent() async throws {
        try await withPasswords { client, service in
            _ = try await service.signInNatively(client, hideEmail: true)
            let cookie = try await service.signUpInBrowser(client)
            let (browser, handle) = try await conflict(client, service, cookie, hideEmail: true)
            let cookies = [cookie, browser]
            let question = try await client.form("/account/merge", ["handle": handle], cookies: cookies)
            #expect(question.text.contains(#"id="consent" name="consent" type="checkbox" value="2""#))
            var fields = ["handle": handle, "plan": try plan(in: question)]
            let refused = try await client.form("/account/merge/confirm", fields, cookies: cookies)
            #expect(refused.status == .conflict && refused.text.contains("agree to the text below"))
            #expect(try await service.store.accountCount() == 2)
            fields["consent"] = "2"
            let done = try await client.form("/account/merge/confirm", fields, cookies: cookies)
            #expect(done.status == .ok, "\(done.text)")
            #expect(try await service.store.accountCount() == 1)
        }
    }

    @Test("The pages are those recorded")
    func recorded() async throws {
        try await withPasswords { client, service in
            _ = try await service.signInNatively(client, hideEmail: true)
            let cookie = try await service.signUpInBrowser(client)
            let (browser, handle) = try await conflict(client, service, cookie, hideEmail: true)
            let cookies = [cookie, browser]
            var log = PageLog(client: client)
            try await log.page("/account/merge")
            try await log.page("/account/merge", cookies: cookies)
            let question = try await log.form("/account/merge", "handle=\(handle)", cookies: cookies)
            let fields = "handle=\(handle)&plan=\(try plan(in: question))"
            let confirm = "/account/merge/confirm"
            try await log.form(confirm, fields, cookies: [cookie])
            try await log.form(confirm, "handle=\(handle)&plan=old", cookies: cookies)
            try await log.form(confirm, fields, cookies: cookies)
            try await log.form(confirm, "\(fields)&consent=2", cookies: cookies)
            try Recording.expect("pages-merge", log.text)
        }
    }

    @Test("The page asks for a fresh proof, if the sign-in is old")
    func late() async throws {
        try await withPasswords { client, service in
            _ = try await service.signInNatively(client)
            let cookie = try await service.signUpInBrowser(client)
            service.clock.advance(by: .minutes(4))
            let (browser, handle) = try await conflict(client, service, cookie)
            service.clock.advance(by: .minutes(2))
            for path in ["/account/merge", "/account/merge/confirm"] {
                let late = try await client.form(
                    path, ["handle": handle, "plan": String(repeating: "A", count: 43)], cookies: [cookie, browser])
                #expect(late.headers[.location] == "/account/links?late", "\(late.text)")
            }
            #expect(try await service.store.accountCount() == 2)
        }
    }
}
