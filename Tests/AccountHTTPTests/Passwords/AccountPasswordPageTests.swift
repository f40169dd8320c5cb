import AccountAPI
import AccountService
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import AccountHTTP

@Suite("The pages of an account with an email address", .eachEngine)
struct AccountPasswordPageTests {
    @Test("The password is changed with the present one, and others are signed out if the person says so")
    func change() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            let other = try await service.signUpByOtherBrowser(client)
            let page = try await client.page("/account/password", cookies: [cookie])
            #expect(page.status == .ok && page.text.contains("Change your password"))
            #expect(page.text.contains(#"autocomplete="current-password""#))
            let wrong = try await client.form(
                "/account/password", ["password": TestPassword.wrong, "newPassword": TestPassword.other],
                cookies: [cookie])
            #expect(wrong.status == .unauthorized && wrong.text.contains("The password is wrong."))
            #expect(!wrong.text.contains(#"value="yes" checked"#), "the choice stays")
            let short = try await client.form(
                "/account/password", ["password": TestPassword.good, "newPassword": "short", "endOthers": "yes"],
                cookies: [cookie])
            #expect(short.status == .badRequest && short.text.contains("Use at least 15 characters."))
            #expect(short.text.contains(#"value="yes" checked"#))
            let kept = try await client.form(
                "/account/password", ["password": TestPassword.good, "newPassword": TestPassword.other],
                cookies: [cookie])
            #expect(kept.status == .seeOther && kept.headers[.location] == "/account/password?saved")
            let saved = try await client.page("/account/password?saved", cookies: [cookie])
            #expect(saved.text.contains("Your password is saved."))
            #expect(try await client.page("/account", cookies: [other]).status == .ok)
            _ = try await client.form(
                "/account/password",
                ["password": TestPassword.other, "newPassword": TestPassword.good, "endOthers": "yes"],
                cookies: [cookie])
            #expect(try await client.page("/account", cookies: [other]).status == .seeOther)
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
        }
    }

    @Test("An account without a password sets one, after a link if the sign-in isn't recent")
    func set() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signInByLink(client)
            let account = try await client.page("/account", cookies: [cookie]).text
            #expect(account.contains("with a link by mail</p>") && account.contains("Set a password"))
            let page = try await client.page("/account/password", cookies: [cookie]).text
            #expect(page.contains(#"name="newPassword""#) && !page.contains(#"autocomplete="current-password""#))
            service.clock.advance(by: .seconds(301))
            let late = try await client.page("/account/password", cookies: [cookie]).text
            #expect(late.contains(#"action="/reauthenticate/link""#) && !late.contains(#"name="newPassword""#))
            let asked = try await client.form(
                "/reauthenticate/link", ["return": "/account/password"], cookies: [cookie])
            #expect(asked.headers[.location] == "/sign-in/link?sent-to-you")
            let sent = try await client.page("/sign-in/link?sent-to-you").text
            #expect(sent.contains(#"href="/account""#) && !sent.contains("Back to sign-in"))
            let browser = try #require(asked.cookie("__Host-siwa-browser"))
            let done = try await client.form(try await service.link(.signInLink), [:], cookies: [browser, cookie])
            #expect(done.headers[.location] == "/account/password")
            let fresh = try #require(done.cookie("__Host-siwa-session"))
            #expect(try await client.page("/account", cookies: [cookie]).status == .seeOther)
            let saved = try await client.form(
                "/account/password", ["newPassword": TestPassword.good], cookies: [fresh])
            #expect(saved.headers[.location] == "/account/password?saved")
            #expect(try await service.signInOnPage(client).status == .seeOther)
            // The form of another tab, or a second click, sets no other one. The page asks for the password now.
            let again = try await client.form(
                "/account/password", ["newPassword": TestPassword.other], cookies: [fresh])
            #expect(again.status == .seeOther && again.headers[.location] == "/account/password", "\(again.text)")
            let asking = try await client.page("/account/password", cookies: [fresh]).text
            #expect(asking.contains(#"autocomplete="current-password""#))
            let other = try await service.signInOnPage(client, password: TestPassword.other)
            #expect(other.status == .unauthorized)
        }
    }

    @Test("The password proves who the person is before an export")
    func export() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            service.clock.advance(by: .seconds(301))
            let page = try await client.page("/account/export", cookies: [cookie]).text
            #expect(page.contains("Sign in again first.") && page.contains(#"action="/reauthenticate/password""#))
            #expect(!page.contains("apple-button") && page.contains(#"action="/reauthenticate/link""#))
            let wrong = try await client.form(
                "/reauthenticate/password", ["password": TestPassword.wrong, "return": "/account/export"],
                cookies: [cookie])
            #expect(wrong.status == .unauthorized && wrong.text.contains("The password is wrong."))
            #expect(wrong.text.contains(#"name="return" value="/account/export""#))
            let proven = try await client.form(
                "/reauthenticate/password", ["password": TestPassword.good, "return": "/account/export"],
                cookies: [cookie])
            #expect(proven.status == .seeOther && proven.headers[.location] == "/account/export")
            let fresh = try #require(proven.cookie("__Host-siwa-session"))
            #expect(fresh != cookie)
            #expect(try await client.page("/account", cookies: [cookie]).status == .seeOther)
            _ = try await client.form("/forgotten", ["email": TestService.ann])
            // The link is written after the answer.
            _ = try await service.secret(.passwordReset)
            let file = try await client.page("/account/export/file", cookies: [fresh])
            let export = try file.decode(AccountExportAnswer.self)
            let identity = try #require(export.identities.first)
            #expect(identity.provider == "email" && identity.email == TestService.ann && identity.emailVerified)
            #expect(identity.passwordSetAt != nil && identity.isPasswordOff == false)
            #expect(identity.appleAccess == nil && identity.appleTokens.isEmpty && identity.lastAuthorizedAt == nil)
            let link = try #require(export.openLinks.first { $0.kind == "password_reset" })
            #expect(link.session == nil && link.device == nil && link.address == TestService.ann)
        }
    }

    @Test("A second click on a form with a password leaves the browser the session that the first has given it")
    func secondClick() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            service.clock.advance(by: .seconds(301))
            let fields = ["password": TestPassword.good, "return": "/account/export"]
            let first = try await client.form("/reauthenticate/password", fields, cookies: [cookie])
            let fresh = try #require(first.cookie("__Host-siwa-session"), "\(first.text)")
            let second = try await client.form("/reauthenticate/password", fields, cookies: [cookie])
            #expect(second.status == .seeOther && second.headers[.setCookie] == nil)
            let page = try await client.page("/account", cookies: [fresh])
            #expect(page.status == .ok)
        }
    }

    @Test("A second click on the form for a new password, or for a first one, says like the first that it is saved")
    func secondClickOnNewPassword() async throws {
        try await withPasswords { client, service in
            let ann = try await service.signUpInBrowser(client)
            let bob = try await service.signInByLink(client, email: "bob@example.com")
            let change = ["password": TestPassword.good, "newPassword": TestPassword.other, "endOthers": "yes"]
            for (cookie, fields) in [(ann, change), (bob, ["newPassword": TestPassword.good])] {
                for _ in 0..<2 {
                    let saved = try await client.form("/account/password", fields, cookies: [cookie])
                    #expect(saved.status == .seeOther, "\(saved.text)")
                    #expect(saved.headers[.location] == "/account/password?saved")
                }
            }
        }
    }

    @Test("An export after the upgrade has Apple's identity alone")
    func exportAfterUpgrade() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            _ = try await service.comeBack(
                client, try await client.form("/account/upgrade", [:], cookies: [cookie]))
            let file = try await client.page("/account/export/file", cookies: [cookie])
            let export = try file.decode(AccountExportAnswer.self)
            #expect(export.identities.map(\.provider) == ["apple"])
            let identity = try #require(export.identities.first)
            #expect(identity.appleAccess == .granted && identity.passwordSetAt == nil && identity.isPasswordOff == nil)
            #expect(export.openLinks.allSatisfy { $0.address == nil })
        }
    }

    @Test("A late form for a first password leads back to the page, which sends a link")
    func setTooLate() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signInByLink(client)
            service.clock.advance(by: .seconds(301))
            let late = try await client.form(
                "/account/password", ["newPassword": TestPassword.good], cookies: [cookie])
            #expect(late.status == .seeOther && late.headers[.location] == "/account/password")
            let page = try await client.page("/account/password", cookies: [cookie]).text
            #expect(page.contains(#"action="/reauthenticate/link""#))
        }
    }

    @Test("After passwords are turned off, the pages say plainly that the operator has to help")
    func turnedOff() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            service.clock.advance(by: .seconds(301))
            var configuration = service.domain.configuration
            configuration.passwords = nil
            let domain = try await service.reopen(configuration)
            #expect(try await domain.warningOfPasswords()?.contains("Passwords are off") == true)
            #expect(try await service.domain.warningOfPasswords() == nil)
            let application = try buildApplication(
                domain: domain, configuration: .juice(), port: 0,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            try await application.test(.router) { base in
                let client = TestClient(base: base)
                for path in ["/account/delete", "/account/export"] {
                    let page = try await client.page(path, cookies: [cookie])
                    #expect(page.status == .ok && page.text.contains("no longer lets people sign in like that"))
                    #expect(!page.text.contains("<form") && !page.text.contains("with Apple"))
                }
                let account = try await client.page("/account", cookies: [cookie]).text
                #expect(account.contains("with your email address</p>") && !account.contains("/account/password"))
                let deletion = try await client.form("/account/delete", [:], cookies: [cookie])
                #expect(deletion.status == .seeOther && deletion.headers[.location] == "/account/delete")
            }
        }
    }

    @Test("An operation that fails after a right password returns its error and the new session")
    func failsAfterProof() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            let secret = String(cookie.dropFirst("__Host-siwa-session=".count))
            let session = try await service.domain.sessions.authenticate(cookie: secret)
            do {
                _ = try await FreshProofs(service.domain, passwords: PasswordFeature(service.domain)).renewing(
                    session, password: TestPassword.good, of: .test, from: .unknown, orBackTo: "/back"
                ) { _ in throw AccountError(.unavailable, "the store is away") }
                Issue.record("It ended well.")
            } catch let failure as HTTPFailure {
                #expect(failure.code == .unavailable)
                #expect(failure.headers[.setCookie]?.hasPrefix("__Host-siwa-session=ses_") == true)
            }
        }
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            let session = try await service.domain.sessions.authenticate(
                cookie: String(cookie.dropFirst("__Host-siwa-session=".count)))
            let late = try await FreshProofs(service.domain, passwords: PasswordFeature(service.domain)).renewing(
                session, password: TestPassword.good, of: .test, from: .unknown, orBackTo: "/back"
            ) { _ in throw AccountError(.requiresRecentLogin, "too late") }
            #expect(late.status == .seeOther && late.headers[.location] == "/back")
            #expect(late.headers[.setCookie]?.hasPrefix("__Host-siwa-session=ses_") == true)
        }
    }

    @Test("The page of a turned-off password says why, and offers a link that sets another")
    func off() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            for _ in 0..<100 {
                let wrong = try await service.signInOnPage(client, password: TestPassword.wrong)
                try #require(wrong.status == .unauthorized, "\(wrong.status)")
                service.clock.advance(by: .seconds(901))
            }
            await service.domain.finishing.idle()
            let page = try await client.page("/account/password", cookies: [cookie])
            #expect(page.text.contains("Somebody typed too many wrong passwords."))
            #expect(page.text.contains(#"action="/account/password/reset""#) && !page.text.contains("newPassword"))
            let form = try await client.form(
                "/account/password", ["newPassword": TestPassword.other], cookies: [cookie])
            #expect(form.headers[.location] == "/account/password")
            let asked = try await client.form("/account/password/reset", [:], cookies: [cookie])
            #expect(asked.headers[.location] == "/forgotten?sent-to-you")
            let browser = try #require(asked.cookie("__Host-siwa-browser"))
            let done = try await client.form(
                try await service.link(.passwordReset), ["newPassword": TestPassword.other], cookies: [browser])
            #expect(done.headers[.location] == "/sign-in?reset")
            #expect(try await service.signInOnPage(client, password: TestPassword.other).status == .seeOther)
        }
    }

    @Test("The profile page mentions Apple only to a person who signs in with Apple")
    func profile() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            let page = try await client.page("/account/profile", cookies: [cookie]).text
            #expect(page.contains("What you type here stays as it is.</p>") && !page.contains("Apple tells"))
            let apple = try await service.signInWithBrowser(client)
            #expect(try await client.page("/account/profile", cookies: [apple]).text.contains("Apple tells us later"))
        }
    }

    @Test("The password deletes the account, however long ago the sign-in was")
    func delete() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signUpInBrowser(client)
            service.clock.advance(by: .seconds(3_600))
            let page = try await client.page("/account/delete", cookies: [cookie]).text
            #expect(page.contains("To confirm, type your password") && !page.contains("tell Apple"))
            let wrong = try await client.form(
                "/account/delete", ["password": TestPassword.wrong], cookies: [cookie])
            #expect(wrong.status == .unauthorized && wrong.text.contains("The password is wrong."))
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
            let deleted = try await client.form("/account/delete", ["password": TestPassword.good], cookies: [cookie])
            #expect(deleted.status == .seeOther && deleted.cookie("__Host-siwa-session") == "__Host-siwa-session=")
            #expect(deleted.headers[values: .setCookie].count == 1)
            let path = try #require(deleted.headers[.location])
            let report = try await client.page(path)
            #expect(report.status == .ok && report.text.contains("Your account is deleted"))
            #expect(!report.text.contains("<dt>Apple</dt>"), "Apple was never asked")
            #expect(try await service.signInOnPage(client).status == .unauthorized)
        }
    }

    @Test("An account without a password is deleted after a fresh link")
    func deleteByLink() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signInByLink(client)
            service.clock.advance(by: .seconds(301))
            let page = try await client.page("/account/delete", cookies: [cookie]).text
            #expect(page.contains(#"action="/reauthenticate/link""#) && !page.contains(#"action="/account/delete""#))
            let early = try await client.form("/account/delete", [:], cookies: [cookie])
            #expect(early.headers[.location] == "/account/delete")
            let fresh = try await service.signInByLink(client)
            let asks = try await client.page("/account/delete", cookies: [fresh]).text
            #expect(asks.contains(#"action="/account/delete""#) && !asks.contains("password"))
            let deleted = try await client.form("/account/delete", [:], cookies: [fresh])
            #expect(deleted.headers[.location]?.hasPrefix("/deletions/") == true)
        }
    }

    @Test("A deletion's form from before the account had a password leads to the page that asks for the password")
    func deleteWithoutPassword() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signInByLink(client)
            let set = try await client.form("/account/password", ["newPassword": TestPassword.good], cookies: [cookie])
            #expect(set.headers[.location] == "/account/password?saved", "\(set.text)")
            // Wrong passwords would make the right one wait.
            for _ in 0..<8 {
                let old = try await client.form("/account/delete", [:], cookies: [cookie])
                #expect(old.status == .seeOther && old.headers[.location] == "/account/delete", "\(old.text)")
            }
            let page = try await client.page("/account/delete", cookies: [cookie]).text
            #expect(page.contains("To confirm, type your password"))
            let deleted = try await client.form("/account/delete", ["password": TestPassword.good], cookies: [cookie])
            #expect(deleted.headers[.location]?.hasPrefix("/deletions/") == true, "\(deleted.text)")
        }
    }

    @Test("An account with Apple keeps its pages: no password, and Apple proves the person")
    func apple() async throws {
        try await withPasswords { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let account = try await client.page("/account", cookies: [cookie]).text
            #expect(account.contains("Sign in with Apple</dd>") && !account.contains("/account/password"))
            try await client.page("/account/password", cookies: [cookie])
                .expectErrorPage(409, "This account has no password")
            #expect(try await client.page("/account/upgrade", cookies: [cookie]).headers[.location] == "/account")
            #expect(try await client.page("/account/delete", cookies: [cookie]).text.contains("Continue with Apple"))
            try await client.form("/reauthenticate/link", [:], cookies: [cookie])
                .expectErrorPage(409, "This account has no password")
            try await client.form("/reauthenticate/password", ["password": "x"], cookies: [cookie])
                .expectErrorPage(409, "This account has no password")
        }
    }
}

extension Request {
    /// A request without a cookie.
    fileprivate static var test: Self {
        Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/"),
            body: RequestBody(buffer: ByteBuffer()))
    }
}

extension TestService {
    /// Ann in a second browser.
    fileprivate func signUpByOtherBrowser(_ client: TestClient) async throws -> String {
        try #require(try await signInOnPage(client).cookie("__Host-siwa-session"))
    }
}
