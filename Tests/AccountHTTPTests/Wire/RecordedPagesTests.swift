import AccountAPI
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import AccountHTTP

/// `Recorded/pages.txt` and `Recorded/pages-authorizations.txt` hold the pages of the service, word for word, with their
/// headers: one browser opens each of them when all goes well. `Recorded/routes.txt` holds which routes there are. Ids,
/// tokens and hashes are written as `…`; the clock stands still.
///
/// `RecordedSequenceTests` holds the calls of apps, with refusals and repeats, on each engine. It leaves out the bodies of
/// pages. `RecordedErrorsTests` holds the pages of errors.
@Suite("Pages on the wire")
struct RecordedPagesTests {
    @Test("The pages of an app's authorizations are those recorded")
    func authorizations() async throws {
        try await withService { client, service in
            var log = PageLog(client: client)
            let app = TestAuthorization(client: client, service: service)
            let begun = try await app.begin()
            let path = app.path(of: begun)
            try await log.page(path)
            let toApple = try await log.form(path, "")
            let (end, cookie) = try await app.finish(toApple)
            try await log.page(end, cookies: [cookie])
            try await log.page(String(end.dropLast("done".count)) + "return", cookies: [cookie])
            let device = try await app.beginOnDevice()
            try await log.page("/device")
            try await log.form("/device", "code=")
            try await log.form("/device", "code=\(device.userCode)")
            try await log.form("/device/allow", "code=\(device.userCode)")
            let denied = try await app.beginOnDevice()
            try await log.form("/device/deny", "code=\(denied.userCode)")
            try Recording.expect("pages-authorizations", log.text)
        }
    }

    @Test("The pages of a browser are those recorded")
    func pages() async throws {
        var configuration = AccountHTTPConfiguration.juice()
        configuration.signInScript = .popup
        try await withService(configuration) { client, service in
            var log = PageLog(client: client)
            let start = try await log.page("/")
            for match in start.text.matches(of: /"(?<path>\/assets\/[^"]*)"/) {
                let asset = try await client.page(String(match.path))
                log.add("GET", String(match.path), asset, showsBody: false)
            }
            try await log.page("/?signed-out")
            try await log.page("/account")
            let beginning = try await log.page("/sign-in/apple")
            try await log.form("/sign-in/apple", "")
            let form = try await service.decide(
                at: try #require(beginning.headers[.location]), firstName: "Johnny")
            let browser = try #require(beginning.cookie("__Host-siwa-browser"))
            let signedIn = try await log.form("/sign-in/apple/callback", form, cookies: [browser], site: "cross-site")
            let cookie = try #require(signedIn.cookie("__Host-siwa-session"))
            try await log.page("/", cookies: [cookie])
            try await log.page("/account", cookies: [cookie])
            try await log.page("/account/export", cookies: [cookie])
            try await log.page("/account/export/file", cookies: [cookie])
            try await log.page("/account/sessions", cookies: [cookie])
            try await log.page("/account/sessions/end-others", cookies: [cookie])
            try await log.form("/account/sessions/end-others", "", cookies: [cookie])
            service.clock.advance(by: .seconds(10))
            _ = try await service.signInWithBrowser(client)
            let list = try await client.page("/account/sessions", cookies: [cookie])
            let other = try #require(
                list.text.matches(of: /action="(?<path>\/account\/sessions\/[^"\/]*\/end)"/).map { String($0.path) }
                    .first)
            try await log.form(other, "", cookies: [cookie])
            try await log.form("/reauthenticate/apple", "return=/account/export", cookies: [cookie])
            service.clock.advance(by: .seconds(400))
            try await log.page("/account/export", cookies: [cookie])
            try await log.page("/account/export/file", cookies: [cookie])
            try await log.page("/account/delete", cookies: [cookie])
            let deleting = try await log.form("/account/delete", "", cookies: [cookie])
            let deleted = try await service.comeBack(client, deleting)
            log.add("POST", "/sign-in/apple/callback", deleted)
            try await log.page(try #require(deleted.headers[.location]))
            try await log.form("/sign-out", "", cookies: [cookie])
            try Recording.expect("pages", log.text)
        }
    }

    @Test("The pages of a profile and of consents are those recorded")
    func profiles() async throws {
        try await withService(sendsMail: true) { client, service in
            var log = PageLog(client: client)
            let cookie = try await service.signInWithBrowser(client, hideEmail: true, firstName: "Johnny")
            // Its session doesn't ask for the change that is taken back.
            let other = try await service.signInWithBrowser(client, hideEmail: true)
            let path = "/account/profile"
            try await log.page(path)
            try await log.page(path, cookies: [cookie])
            try await log.form("\(path)/phone", "phone=030", cookies: [cookie])
            try await log.form("\(path)/phone", "phone=%2B4930123456", cookies: [cookie])
            try await log.form("\(path)/phone", "phone=%2B4930123456&consent=2", cookies: [cookie])
            try await log.form("\(path)/name", "givenName=Ann&nickname=Annie", cookies: [cookie])
            // Consents of one moment have no order.
            service.clock.advance(by: .seconds(1))
            try await log.form(
                "\(path)/contact-email", "contactEmail=ann%40example.com&consent=2", cookies: [cookie])
            try await log.page("\(path)?sent", cookies: [cookie])
            let link = try await service.link(.verifyAddress)
            try await log.page(link)
            try await log.page(link, cookies: [cookie])
            try await log.form(link, "", cookies: [cookie])
            try await log.page("\(path)?confirmed", cookies: [cookie])
            let back = try await service.link(.addressChanged)
            try await log.page(back)
            try await log.page("/account", cookies: [cookie])
            let consents = try await log.page("/account/consents", cookies: [cookie])
            let consent = try #require(consents.text.firstMatch(of: /href="(?<path>\/account\/consents\/[^"]*)"/)?.path)
            try await log.page(String(consent), cookies: [cookie])
            try await log.form(String(consent), "", cookies: [cookie])
            try await log.page("/account/consents", cookies: [cookie])
            try await log.form(back, "")
            service.clock.advance(by: .seconds(60))
            _ = try await service.signInNatively(client, hideEmail: true)
            let notMe = try await service.link(.newDevice)
            try await log.page(notMe)
            try await log.form(notMe, "", cookies: [other])
            try await log.form(notMe, "")
            try Recording.expect("pages-profile", log.text)
        }
    }

    @Test("The pages of passwords, links and the upgrade are those recorded")
    func passwords() async throws {
        try await withPasswords { client, service in
            var log = PageLog(client: client)
            func fields(_ fields: [(String, String)]) -> String {
                fields.map { "\($0)=\($1.addingPercentEncoding())" }.joined(separator: "&")
            }
            try await log.page("/sign-in")
            try await log.page("/sign-up")
            try await log.form("/sign-up", fields([("email", "ann@example.com"), ("newPassword", "short")]))
            let asked = try await log.form(
                "/sign-up",
                fields([("email", "ann@example.com"), ("newPassword", TestPassword.good), ("givenName", "Ann")]))
            try await log.page("/sign-up?sent")
            let browser = try #require(asked.cookie("__Host-siwa-browser"))
            let link = try await service.link(.signUp)
            try await log.page(link, cookies: [browser])
            try await log.form(link, fields([("password", "wrong")]), cookies: [browser])
            let done = try await log.form(link, fields([("password", TestPassword.good)]), cookies: [browser])
            let cookie = try #require(done.cookie("__Host-siwa-session"))
            try await log.page("/account", cookies: [cookie])
            try await log.form("/sign-in", fields([("email", "ann@example.com"), ("password", "wrong")]))
            try await log.page("/sign-in/link")
            let requested = try await log.form("/sign-in/link", fields([("email", "ann@example.com")]))
            try await log.page("/sign-in/link?sent")
            let signIn = try await service.link(.signInLink)
            try await log.page(signIn)
            try await log.page(signIn, cookies: [try #require(requested.cookie("__Host-siwa-browser"))])
            try await log.form(signIn, fields([("email", "bob@example.com")]))
            try await log.page("/forgotten")
            try await log.form("/forgotten", fields([("email", "ann@example.com")]))
            try await log.page("/forgotten?sent")
            let reset = try await service.link(.passwordReset)
            try await log.page(reset)
            try await log.page("/account/password", cookies: [cookie])
            try await log.form(
                "/account/password",
                fields([("password", TestPassword.good), ("newPassword", TestPassword.other)]), cookies: [cookie])
            try await log.page("/account/password?saved", cookies: [cookie])
            try await log.page("/account/upgrade", cookies: [cookie])
            for refusal in ["used", "consent", "late"] {
                try await log.page("/account/upgrade?\(refusal)", cookies: [cookie])
            }
            service.clock.advance(by: .seconds(400))
            try await log.page("/account/export", cookies: [cookie])
            try await log.form("/reauthenticate/password", "password=wrong&return=/account/export", cookies: [cookie])
            try await log.page("/account/upgrade", cookies: [cookie])
            try await log.page("/account/delete", cookies: [cookie])
            let deleted = try await log.form(
                "/account/delete", fields([("password", TestPassword.other)]), cookies: [cookie])
            try await log.page(try #require(deleted.headers[.location]))
            let bare = try await service.signInByLink(client)
            try await log.page("/account/password", cookies: [bare])
            service.clock.advance(by: .seconds(400))
            for path in ["/account/password", "/account/export", "/account/delete", "/account/upgrade"] {
                try await log.page(path, cookies: [bare])
            }
            try Recording.expect("pages-passwords", log.text)
        }
    }

    @Test("The routes are those recorded, with a Services ID, with Apple's script, with passwords and without any")
    func routes() async throws {
        var text = ""
        for (title, client, script, apps, passwords) in [
            ("with a Services ID and Apple's script", TestService.web, SignInScript.popup, [TestService.juice], nil),
            ("with a Services ID", TestService.web, nil, [TestService.juice], nil),
            ("without one, for an app that has one", nil, nil, [TestService.juice], nil),
            ("for apps alone", nil, nil, [], nil),
            ("with a Services ID and passwords", TestService.web, nil, [TestService.juice], .test),
            ("with passwords alone", nil, nil, [], .test),
        ] as [(String, ClientID?, SignInScript?, [App], PasswordSettings?)] {
            let service = try await TestService(
                publicURL: TestService.publicURL, webClient: client, apps: apps, sendsMail: passwords != nil,
                passwords: passwords,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            var configuration = AccountHTTPConfiguration.juice()
            configuration.signInScript = script
            let routes = try makeRouter(domain: service.domain, configuration: configuration).routes
            let lines = routes.map { "\($0.method.rawValue) \($0.path)".replacing(PageLog.assetHash, with: "-….") }
            text += title + "\n" + lines.sorted().map { "  \($0)\n" }.joined()
        }
        try Recording.expect("routes", text)
    }
}

/// Asks as a browser does, and writes down the answers in the order in which they came.
struct PageLog {
    let client: TestClient
    private(set) var text = ""

    init(client: TestClient) { self.client = client }

    static var assetHash: Regex<Substring> { /-[0-9a-f]{16}\./ }

    @discardableResult
    mutating func page(_ uri: String, cookies: [String] = []) async throws -> TestResponse {
        add("GET", uri, try await client.page(uri, cookies: cookies))
    }

    @discardableResult
    mutating func form(
        _ uri: String, _ form: String, cookies: [String] = [], site: String = "same-origin"
    ) async throws -> TestResponse {
        add("POST", uri, try await client.post(uri, form: form, cookies: cookies, site: site))
    }

    @discardableResult
    mutating func add(
        _ method: String, _ uri: String, _ answer: TestResponse, showsBody: Bool = true
    ) -> TestResponse {
        let headers = answer.headers.filter { $0.name != .contentLength && $0.name != .date }
            .map { "  \($0.name.canonicalName): \($0.value)" }.sorted()
        var lines = ["\(method) \(uri)", "  \(answer.status.code)"] + headers
        if showsBody { lines += Self.lines(of: answer).map { $0.isEmpty ? "" : "    \($0)" } }
        text += normal(lines.joined(separator: "\n")) + "\n\n"
        return answer
    }

    private static func lines(of answer: TestResponse) -> [String] {
        if answer.headers[.contentType] == "application/json",
            let value = try? JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView)),
            let data = try? JSONSerialization.data(
                withJSONObject: value, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        {
            return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        return answer.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Without what differs from run to run: hashes, ids, tokens, and codes that a person types.
    private func normal(_ text: String) -> String {
        text.replacing(Self.assetHash, with: "-….")
            // A token may begin with any letters and an underscore, so the prefixes of ids are named.
            .replacing(/(?<prefix>\b(?:acc|aut|con|del|idn|ses)_)?[A-Za-z0-9_.~-]{22,}/) { match in
                // Names of headers and of files are long too, in small letters alone.
                match.output.0.contains { $0.isUppercase || $0.isNumber }
                    ? "\(match.prefix ?? "")…" : String(match.output.0)
            }
            // After the tokens, since a token may contain eight letters that look like a code.
            .replacing(/[B-Z]{4}-[B-Z]{4}/, with: "…")
    }
}
