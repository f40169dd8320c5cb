import AccountAPI
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

/// An app without Apple's framework, and a browser of its person's.
struct TestAuthorization: Sendable {
    static let loopback = "http://127.0.0.1:53124/back"

    let client: TestClient
    let service: TestService
    let verifier = UUID().uuidString + UUID().uuidString

    var challenge: String {
        Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString().replacing("+", with: "-")
            .replacing("/", with: "_").replacing("=", with: "")
    }

    // MARK: The app

    func request(_ redirectURI: String? = loopback) -> BeginAuthorizationRequest {
        BeginAuthorizationRequest(
            app: "juice", redirectURI: redirectURI, codeChallenge: challenge, nonce: "of-the-app", state: "of-the-app")
    }

    func begin(redirectURI: String = loopback) async throws -> RedirectAuthorizationAnswer {
        let answer = try await client.post("/v1/authorizations", json: request(redirectURI))
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.decode()
    }

    func beginOnDevice() async throws -> DeviceAuthorizationAnswer {
        let answer = try await client.post("/v1/authorizations", json: request(nil))
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.decode()
    }

    func redeem(handle: String) async throws -> TestResponse {
        try await client.post(
            "/v1/authorizations/redeem", json: RedeemAuthorizationRequest(handle: handle, codeVerifier: verifier))
    }

    func redeem(deviceCode: String) async throws -> TestResponse {
        try await client.post(
            "/v1/authorizations/redeem",
            json: RedeemAuthorizationRequest(deviceCode: deviceCode, codeVerifier: verifier))
    }

    // MARK: The browser

    /// The click on the page of an authorization, or on Allow.
    func click(_ path: String, form: String = "", cookies: [String] = []) async throws -> TestResponse {
        try await client.post(path, form: form, cookies: cookies, site: "same-origin")
    }

    /// To Apple and back.
    /// - Parameter beginning: The answer that sends the browser to Apple.
    /// - Returns: The path of the last page, and the browser's cookie.
    func finish(
        _ beginning: TestResponse, _ decision: String = "continue", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> (path: String, cookie: String) {
        #expect(beginning.status == .seeOther, "\(beginning.text)", sourceLocation: sourceLocation)
        let location = try #require(beginning.headers[.location], sourceLocation: sourceLocation)
        let cookie = try #require(beginning.cookie("__Host-siwa-browser"), sourceLocation: sourceLocation)
        let form = try await service.decide(at: location, decision)
        let end = try await client.post(
            "/sign-in/apple/callback", form: form, cookies: [cookie], site: "cross-site",
            origin: TestService.emulatorURL)
        #expect(end.status == .seeOther, "\(end.text)", sourceLocation: sourceLocation)
        #expect(end.headers[.setCookie] == nil, sourceLocation: sourceLocation)
        return (try #require(end.headers[.location], sourceLocation: sourceLocation), cookie)
    }

    /// The whole way of the browser, up to where it goes back to the app.
    /// - Returns: The query of the address that it ends at.
    func comeBack(
        _ authorization: RedirectAuthorizationAnswer, _ decision: String = "continue"
    ) async throws -> [String: String] {
        let (path, cookie) = try await finish(try await click(path(of: authorization)), decision)
        let page = try await client.page(path, cookies: [cookie])
        return try await leave(page, cookies: [cookie])
    }

    /// Follows the last page's link.
    func leave(_ page: TestResponse, cookies: [String]) async throws -> [String: String] {
        let refresh = try #require(page.header("Refresh"))
        let path = try #require(refresh.firstRange(of: "url=")).upperBound
        let answer = try await client.page(String(refresh[path...]), cookies: cookies)
        #expect(answer.status == .seeOther, "\(answer.text)")
        return try Self.query(of: #require(answer.headers[.location]))
    }

    /// The path that the browser opens.
    func path(of authorization: RedirectAuthorizationAnswer) -> String {
        String(authorization.url.dropFirst(TestService.publicURL.count))
    }

    static func query(of location: String) throws -> [String: String] {
        Dictionary(
            try #require(URLComponents(string: location)?.queryItems).map { ($0.name, $0.value ?? "") },
            uniquingKeysWith: { first, _ in first })
    }
}
