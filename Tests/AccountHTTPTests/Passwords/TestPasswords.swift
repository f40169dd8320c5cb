import AccountAPI
import AccountHTTP
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import InMemoryLogging
import Logging
import Testing

extension PasswordSettings {
    /// Hashes that cost next to nothing.
    static let test = {
        var settings = PasswordSettings(cost: PasswordCost(roundsExponent: 4, blockSize: 1, parallelism: 1))
        settings.makesWay = false
        return settings
    }()
}

/// Words that no list has.
enum TestPassword {
    static let good = "violet otter, 42 stamps"
    static let other = "nine quiet umbrellas"
    static let wrong = "something else altogether"
}

/// Runs a test against a service that takes passwords and sends mail.
func withPasswords(
    _ configuration: AccountHTTPConfiguration = .juice(), webClient: ClientID? = TestService.web,
    settings: PasswordSettings = .test, over setup: TestingSetup = .router,
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    _ test: @Sendable (TestClient, TestService) async throws -> Void
) async throws {
    try await withService(
        configuration, webClient: webClient, sendsMail: true, passwords: settings, over: setup, logger: logger, test)
}

extension TestService {
    static let ann = "ann@example.com"

    /// The secret in the newest mail of a kind.
    func secret(_ kind: Mail.Kind) async throws -> String {
        let path = try await link(kind)
        try #require(path.hasPrefix("/email-links/"))
        return String(path.dropFirst("/email-links/".count))
    }

    /// The body of a call, with strings as its members.
    func json(_ members: [String: String]) throws -> String {
        String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
    }

    // MARK: In an app

    /// Signs up, and finishes with the link in the mail.
    func signUpByApp(
        _ client: TestClient, email: String = ann, password: String = TestPassword.good
    ) async throws -> SignInAnswer {
        let asked = try await client.post("/v1/sign-up", json: try json(["email": email, "password": password]))
        try #require(asked.status == .accepted, "\(asked.text)")
        let done = try await client.post(
            "/v1/sign-up/finish", json: try json(["link": try await secret(.signUp), "password": password]))
        try #require(done.status == .ok, "\(done.text)")
        return try done.decode()
    }

    // MARK: In a browser

    /// Signs up on the page, and finishes in the same browser.
    /// - Returns: The cookie of the session.
    func signUpInBrowser(
        _ client: TestClient, email: String = ann, password: String = TestPassword.good, name: String = ""
    ) async throws -> String {
        let asked = try await client.form(
            "/sign-up", ["email": email, "newPassword": password, "givenName": name])
        try #require(asked.headers[.location] == "/sign-up?sent", "\(asked.text)")
        let browser = try #require(asked.cookie("__Host-siwa-browser"))
        let done = try await client.form(try await link(.signUp), ["password": password], cookies: [browser])
        return try #require(done.cookie("__Host-siwa-session"), "\(done.text)")
    }

    /// Signs up and in on pages without a password.
    /// - Returns: The cookie of the session.
    func signInByLink(_ client: TestClient, email: String = ann) async throws -> String {
        let asked = try await client.form("/sign-in/link", ["email": email])
        let browser = try #require(asked.cookie("__Host-siwa-browser"), "\(asked.text)")
        let done = try await client.form(try await link(.signInLink), [:], cookies: [browser])
        return try #require(done.cookie("__Host-siwa-session"), "\(done.text)")
    }

    /// Signs in on the page.
    func signInOnPage(
        _ client: TestClient, email: String = ann, password: String = TestPassword.good, cookies: [String] = []
    ) async throws -> TestResponse {
        try await client.form("/sign-in", ["email": email, "password": password], cookies: cookies)
    }
}

extension TestClient {
    /// A POST of a form of this site's own.
    func form(
        _ uri: String, _ fields: [String: String], cookies: [String] = [], site: String = "same-origin"
    ) async throws -> TestResponse {
        let form = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.addingPercentEncoding())" }
            .joined(separator: "&")
        return try await post(uri, form: form, cookies: cookies, site: site)
    }
}

extension TestResponse {
    /// All that a client sees, without the names of the request and of the browser.
    var withoutNames: [String] {
        let headers = self.headers.filter { !["x-request-id", "date", "set-cookie"].contains($0.name.canonicalName) }
            .map { "\($0.name.canonicalName): \($0.value)" }.sorted()
        return ["\(status.code)"] + headers + [text.replacing(header("X-Request-ID") ?? "-", with: "…")]
    }
}
