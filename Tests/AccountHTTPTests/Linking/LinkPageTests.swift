import AccountAPI
import AccountDatabase
import AccountHTTP
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The pages of the ways in", .eachEngine)
struct LinkPageTests {
    /// Goes to Apple from the page, and comes back.
    /// - Returns: the browser's cookie, and the answer to Apple's form.
    private func addApple(
        _ client: TestClient, _ service: TestService, _ cookie: String, _ fields: [String: String] = [:],
        decision: String = "continue", person: String = "johnny", hideEmail: Bool = false
    ) async throws -> (browser: String, answer: TestResponse) {
        service.clock.advance(by: .seconds(1))
        let away = try await client.form("/account/links/apple", fields, cookies: [cookie])
        let location = try #require(away.headers[.location], "\(away.text)")
        try #require(location.hasPrefix(TestService.emulatorURL), "\(location)")
        let browser = try #require(away.cookie("__Host-siwa-browser"))
        let form = try await service.decide(at: location, decision, person: person, hideEmail: hideEmail)
        // Apple's site posts the form, so the Lax cookie of the session stays behind.
        let answer = try await client.post(
            "/sign-in/apple/callback", form: form, cookies: [browser], site: "cross-site",
            origin: TestService.emulatorURL)
        return (browser, answer)
    }

    /// The address of the question about the removal of a way in, by its place in the list.
    private func removals(_ page: String) -> [String] {
        page.matches(of: /href="(\/account\/links\/idn_\w+\/remove)"/).map { String($0.1) }
    }

    @Test("The list shows the only way in, which can't go, and adds an Apple Account to it")
    func links() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            #expect(try await client.page("/account", cookies: [cookie]).text.contains(#"href="/account/links""#))
            let first = try await client.page("/account/links", cookies: [cookie])
            #expect(first.text.contains("Email address and password") && first.text.contains("ann<wbr>@example.com"))
            #expect(first.text.contains("You signed in with it") && removals(first.text).isEmpty)
            #expect(first.text.contains("apple-button") && !first.text.contains("/account/links/password"))
            #expect(first.text.contains("If you share your address at Apple, you don’t need to agree."))
            let policy = first.header("Content-Security-Policy") ?? ""
            #expect(policy.contains("form-action 'self' \(TestService.emulatorURL)") && !policy.contains("script-src"))

            let (_, back) = try await addApple(client, service, cookie)
            #expect(back.headers[.location] == "/account/links?added", "\(back.text)")
            let page = try await client.page("/account/links?added", cookies: [cookie]).text
            #expect(page.contains("You can sign in with it from now on.") && page.contains("Sign in with Apple"))
            #expect(removals(page).count == 2)
            #expect(try await service.signInNatively(client).account.email != nil)
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
        }
    }

    @Test(
        "A box whose value is no version of a text counts as no consent",
        arguments: ["", String(repeating: "1", count: 33)])
    func noVersion(consent: String) async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            let (_, back) = try await addApple(client, service, cookie, ["consent": consent], hideEmail: true)
            #expect(back.headers[.location] == "/account/links?consent", "\(back.text)")
        }
    }

    @Test("A hidden address needs the box below the text, and then it works")
    func consent() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            let (_, refused) = try await addApple(client, service, cookie, hideEmail: true)
            #expect(refused.headers[.location] == "/account/links?consent", "\(refused.text)")
            let page = try await client.page("/account/links?consent", cookies: [cookie]).text
            #expect(page.contains("Nothing was changed.") && page.contains(#"id="consent-problem-apple""#))
            let (_, old) = try await addApple(client, service, cookie, ["consent": "0"], hideEmail: true)
            #expect(old.headers[.location] == "/account/links?consent")
            #expect(page.contains("If you share your address at Apple, you don’t need to agree."))
            let (_, done) = try await addApple(client, service, cookie, ["consent": "2"], hideEmail: true)
            #expect(done.headers[.location] == "/account/links?added", "\(done.text)")
            // The account has an address and a hidden Apple Account: one more of either kind needs consent.
            let added = try await client.page("/account/links?added", cookies: [cookie]).text
            #expect(added.contains(#"id="consent-apple""#) && !added.contains("don’t need to agree"))
        }
    }

    @Test("An account that hides its address can add another Apple Account that does without consent, and says so")
    func bothHide() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signInWithBrowser(client, hideEmail: true)
            let page = try await client.page("/account/links", cookies: [cookie]).text
            #expect(page.contains("If that Apple Account hides your address, too, you don’t need to agree."))
        }
    }

    @Test("The page of a withdrawal shows the steps at Apple if the service has nothing left to revoke")
    func stepsAtApple() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            _ = try await addApple(client, service, cookie, ["consent": "2"], hideEmail: true)
            _ = try await service.store.write { try $0.execute("DELETE FROM apple_tokens") }
            let list = try await client.page("/account/consents", cookies: [cookie]).text
            let path = try #require(list.firstMatch(of: /href="(\/account\/consents\/con_\w+\/withdraw)"/)).1
            let done = try await client.form(String(path), [:], cookies: [cookie])
            #expect(done.status == .ok && done.text.contains("account.apple.com"), "\(done.text)")
            #expect(done.cookie("__Host-siwa-session") == nil)
            #expect(removals(try await client.page("/account/links", cookies: [cookie]).text).isEmpty)
        }
    }

    @Test("An Apple Account of another account: the handle is in a form, and signs this browser in")
    func conflict() async throws {
        try await withPasswords { client, service in
            let other = try await service.signInNatively(client).session.accessToken
            let cookie = try await service.signUpInBrowser(client)
            let (browser, answer) = try await addApple(client, service, cookie)
            #expect(answer.status == .ok && answer.text.contains("has an account of its own"), "\(answer.text)")
            #expect(answer.headers[.location] == nil)
            let handle = try #require(
                answer.text.firstMatch(
                    of: /action="\/sign-in\/handle"><input type="hidden" name="handle" value="(.{43})"/))
            let form = ["handle": String(handle.1)]
            let foreign = try await service.signInWithBrowser(client, person: "zoe")
            for cookies in [[foreign, browser], [cookie]] {
                #expect(try await client.form("/sign-in/handle", form, cookies: cookies).status == .unauthorized)
            }
            let site = try await client.form(
                "/sign-in/handle", form, cookies: [cookie, browser], site: "cross-site")
            #expect(site.status == .forbidden)
            #expect(
                try await client.page("/sign-in/handle?handle=\(handle.1)", cookies: [cookie, browser]).status
                    != .seeOther)
            let done = try await client.form("/sign-in/handle", form, cookies: [cookie, browser])
            #expect(done.headers[.location] == "/account", "\(done.text)")
            let session = try #require(done.cookie("__Host-siwa-session"))
            #expect(try await client.page("/account", cookies: [session]).text.contains("with Apple</p>"))
            #expect(try await client.page("/account", cookies: [cookie]).status == .seeOther)
            let links = try await client.send(.get, "/v1/links", [.authorization: "Bearer \(other)"])
            #expect(try links.decode(LinkListAnswer.self).links.count == 1)
        }
    }

    @Test("The page of a conflict that is too old says so, and leads to the ways in")
    func oldConflict() async throws {
        try await withPasswords { client, service in
            _ = try await service.signInNatively(client)
            let cookie = try await service.signUpInBrowser(client)
            let (browser, answer) = try await addApple(client, service, cookie)
            let found = answer.text.firstMatch(of: /name="handle" value="(?<handle>.{43})"/)
            let form = ["handle": String(try #require(found).handle)]
            service.clock.advance(by: .seconds(301))
            let late = try await client.form("/sign-in/handle", form, cookies: [cookie, browser])
            late.expectErrorPage(401, "This page no longer works")
            #expect(late.text.contains(#"href="/account/links""#) && !late.text.contains("came back from Apple"))
        }
    }

    @Test("An address and a password are added by the link, in the browser that asked")
    func address() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signInWithBrowser(client)
            service.clock.advance(by: .seconds(1))
            let bad = try await client.form(
                "/account/links/password", ["email": TestService.ann, "newPassword": "short"], cookies: [cookie])
            #expect(bad.status == .badRequest && bad.text.contains("Use at least") && bad.text.contains("ann@"))
            let asked = try await client.form(
                "/account/links/password", ["email": TestService.ann, "newPassword": TestPassword.good],
                cookies: [cookie])
            #expect(asked.headers[.location] == "/account/links?sent", "\(asked.text)")
            let browser = try #require(asked.cookie("__Host-siwa-browser"))
            #expect(
                try await client.page("/account/links?sent", cookies: [cookie]).text.contains("We have sent a link"))
            let path = try await service.link(.linkAddress)
            let other = try await service.signInWithBrowser(client, person: "zoe")
            for cookies in [[], [browser], [other, browser]] {
                let page = try await client.page(path, cookies: cookies)
                #expect(page.text.contains("Open this link where you asked for it"), "\(cookies)")
                #expect(
                    !page.text.contains("ann<wbr>") && !page.text.contains("ann@"), "the page doesn't tell the address")
            }
            #expect(try await client.form(path, [:], cookies: [other, browser]).status == .notFound)
            let page = try await client.page(path, cookies: [cookie, browser])
            #expect(page.text.contains("Add the address") && page.text.contains("ann<wbr>@example.com"))
            let done = try await client.form(path, [:], cookies: [cookie, browser])
            #expect(done.headers[.location] == "/account/links?added", "\(done.text)")
            #expect(try await service.signInOnPage(client).status == .seeOther)
            let list = try await client.page("/account/links", cookies: [cookie]).text
            #expect(list.contains("Email address and password") && !list.contains("/account/links/password"))
        }
    }

    @Test("An account that hides its address needs consent to one")
    func addressConsent() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signInWithBrowser(client, hideEmail: true)
            let page = try await client.page("/account/links", cookies: [cookie]).text
            #expect(page.contains(#"id="consent-email" name="consent" type="checkbox" required value="2""#))
            #expect(page.contains("Hides your address"))
            var form = ["email": TestService.ann, "newPassword": TestPassword.good]
            let refused = try await client.form("/account/links/password", form, cookies: [cookie])
            #expect(refused.status == .conflict && refused.text.contains(#"id="consent-problem-email""#))
            // A mistake elsewhere in the form leaves the box ticked, unless the text is another one now.
            for (version, isChecked) in [("2", true), ("1", false)] {
                let mistaken = ["email": TestService.ann, "newPassword": "short", "consent": version]
                let again = try await client.form("/account/links/password", mistaken, cookies: [cookie])
                #expect(again.status == .badRequest && again.text.contains("Use at least"))
                #expect(again.text.contains(#"value="2" checked"#) == isChecked, "\(version)")
            }
            form["consent"] = "2"
            let asked = try await client.form("/account/links/password", form, cookies: [cookie])
            #expect(asked.headers[.location] == "/account/links?sent", "\(asked.text)")
        }
    }

    @Test("A link that needs a consent only now, or comes too late, leads to the page that says what to do")
    func lateAddress() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signInWithBrowser(client)
            var form = ["email": TestService.ann, "newPassword": TestPassword.good]
            let asked = try await client.form("/account/links/password", form, cookies: [cookie])
            #expect(asked.headers[.location] == "/account/links?sent", "\(asked.text)")
            let browser = try #require(asked.cookie("__Host-siwa-browser"))
            let path = try await service.link(.linkAddress)
            let (_, linked) = try await addApple(
                client, service, cookie, ["consent": "2"], person: "zoe", hideEmail: true)
            #expect(linked.headers[.location] == "/account/links?added", "\(linked.text)")
            let refused = try await client.form(path, [:], cookies: [cookie, browser])
            #expect(refused.headers[.location] == "/account/links?address-consent", "\(refused.text)")
            let page = try await client.page("/account/links?address-consent", cookies: [cookie]).text
            #expect(page.contains("The address was not added.") && page.contains(#"id="consent-email""#))

            form["consent"] = "2"
            var paths: [String] = []
            for address in [TestService.ann, "other@example.com"] {
                service.clock.advance(by: .seconds(1))
                form["email"] = address
                let again = try await client.form("/account/links/password", form, cookies: [cookie, browser])
                #expect(again.headers[.location] == "/account/links?sent", "\(again.text)")
                paths.append(try await service.link(.linkAddress))
            }
            let done = try await client.form(paths[0], [:], cookies: [cookie, browser])
            #expect(done.headers[.location] == "/account/links?added", "\(done.text)")
            let late = try await client.form(paths[1], [:], cookies: [cookie, browser])
            #expect(late.headers[.location] == "/account/links?another", "\(late.text)")
            let list = try await client.page("/account/links?another", cookies: [cookie]).text
            #expect(list.contains("Your account has an email address to sign in with already."))
        }
    }

    @Test("A link that must wait, after too many withdrawals, says how long, and stays good")
    func waitingAddress() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signInWithBrowser(client, hideEmail: true)
            let form = ["email": TestService.ann, "newPassword": TestPassword.good, "consent": "2"]
            let asked = try await client.form("/account/links/password", form, cookies: [cookie])
            let browser = try #require(asked.cookie("__Host-siwa-browser"), "\(asked.text)")
            let path = try await service.link(.linkAddress)
            let session = try await service.domain.sessions.authenticate(
                cookie: String(cookie.dropFirst("__Host-siwa-session=".count)))
            let (account, moment) = (session.account.id, Timestamp(service.clock.now))
            try await service.store.write { connection in
                for number in 0..<10 {
                    _ = try connection.execute(
                        """
                        INSERT INTO consents (id, account_id, purpose, text_version, given_at, session_id, client_id,
                            withdrawn_at)
                        VALUES (?1, ?2, 'linked_identity', '2', ?3, 'ses_1', 'com.example.juice', ?3)
                        """, [.id("con_\(number)"), .id(account), .time(moment)])
                }
            }
            let refused = try await client.form(path, [:], cookies: [cookie, browser])
            refused.expectErrorPage(429, "Too many attempts")
            #expect(refused.headers[.retryAfter] == "3600" && refused.text.contains("Try again in 60 minutes."))
            let page = try await client.page(path, cookies: [cookie, browser])
            #expect(page.text.contains("Add the address"))
        }
    }

    @Test("A way in is removed after a question, and its browser is signed out")
    func removes() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            _ = try await addApple(client, service, cookie)
            let paths = removals(try await client.page("/account/links", cookies: [cookie]).text)
            try #require(paths.count == 2)
            let question = try await client.page(paths[1], cookies: [cookie]).text
            #expect(question.contains("Remove this way to sign in?") && question.contains("Sign in with Apple"))
            #expect(!question.contains("this browser too"))
            let removed = try await client.form(paths[1], [:], cookies: [cookie])
            #expect(removed.headers[.location] == "/account/links?removed", "\(removed.text)")
            #expect(try await client.form(paths[1], [:], cookies: [cookie]).headers[.location] == "/account/links")
            #expect(try await client.page(paths[1], cookies: [cookie]).status == .notFound)
            let last = try await client.form(paths[0], [:], cookies: [cookie])
            #expect(last.status == .conflict && last.text.contains("This is your only way in"))

            _ = try await addApple(client, service, cookie)
            #expect(try await client.page(paths[0], cookies: [cookie]).text.contains("this browser too"))
            let own = try await client.form(paths[0], [:], cookies: [cookie])
            #expect(own.headers[.location] == "/?signed-out" && own.cookie("__Host-siwa-session") != nil)
            #expect(try await client.page("/account/links", cookies: [cookie]).status == .seeOther)
            #expect(try await service.signInOnPage(client).status == .unauthorized)
        }
    }

    @Test("After five minutes the pages ask for a fresh proof first, by the way in of the session")
    func late() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            let path = try #require(
                try await { () async throws -> String? in
                    _ = try await addApple(client, service, cookie)
                    return removals(try await client.page("/account/links", cookies: [cookie]).text).last
                }())
            service.clock.advance(by: .minutes(5))
            let page = try await client.page("/account/links", cookies: [cookie]).text
            #expect(page.contains(#"action="/reauthenticate/password""#) && !page.contains("/account/links/apple"))
            #expect(page.contains(#"name="return" value="/account/links""#))
            #expect(try await client.page(path, cookies: [cookie]).text.contains(#"name="return" value="\#(path)""#))
            for form in ["/account/links/apple", path] {
                #expect(
                    try await client.form(form, [:], cookies: [cookie]).headers[.location] == "/account/links?late",
                    "\(form)")
            }
            #expect(
                try await client.page("/account/links?late", cookies: [cookie]).text.contains("That took too long."))
        }
    }

    @Test("Forms of other sites do nothing, and Cancel at Apple leads back")
    func forged() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            for path in ["/account/links/apple", "/account/links/password", "/account/links/idn_1/remove"] {
                #expect(
                    try await client.form(path, [:], cookies: [cookie], site: "cross-site").status == .forbidden,
                    "\(path)")
            }
            let (_, cancelled) = try await addApple(client, service, cookie, decision: "cancel")
            #expect(cancelled.headers[.location] == "/account/links", "\(cancelled.text)")
        }
    }

    @Test("The page of a consent names the way in that goes with it, and sessions name what opened them")
    func consentAndSessions() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            _ = try await addApple(client, service, cookie, ["consent": "2"], hideEmail: true)
            let token = try await service.signInNatively(client, hideEmail: true).session.accessToken
            let headers: HTTPFields = [.authorization: "Bearer \(token)"]
            let sessions = try await client.send(.get, "/v1/sessions", headers).decode(SessionListAnswer.self).sessions
            #expect(sessions.map(\.provider) == ["apple", "email"])
            let links = try await client.send(.get, "/v1/links", headers).decode(LinkListAnswer.self).links
            #expect(sessions.map(\.identityID) == [links[1].id, links[0].id])
            let onPage = try await client.page("/account/sessions", cookies: [cookie]).text
            #expect(onPage.contains("Sign in with Apple") && onPage.contains("Email address and password"))

            let consents = try await client.send(.get, "/v1/consents", headers).decode(ConsentListAnswer.self).consents
            let id = try #require(consents.first?.id)
            let question = try await client.page("/account/consents/\(id)/withdraw", cookies: [cookie]).text
            #expect(question.contains("joined your account with this consent"))
            let done = try await client.send(.delete, "/v1/consents/\(id)", headers)
                .decode(ConsentWithdrawalAnswer.self)
            #expect(done.unlinked.map(\.id) == [links[1].id] && done.kept.isEmpty && done.endsSession)
            #expect(done.unlinked.map(\.current) == [true] && done.manualRemoval == nil)
            try await client.send(.get, "/v1/links", headers).expectError(.sessionEnded, 401)
            #expect(try await client.page("/account/links", cookies: [cookie]).status == .ok)
        }
    }
}
