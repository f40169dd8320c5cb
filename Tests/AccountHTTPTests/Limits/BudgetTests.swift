import AccountAPI
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import NIOCore
import Testing

@testable import AccountHTTP

@Suite("Too many requests from one address")
struct BudgetTests {
    private static let limit = 3

    private func withLimitedService(
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ test: @escaping @Sendable (TestClient, TestService) async throws -> Void
    ) async throws {
        var configuration = AccountHTTPConfiguration.juice()
        configuration.requestBudget = Self.limit
        configuration.signInScript = .popup
        configuration.trustedProxies = ["127.0.0.0/8", "::1"].compactMap(AddressRange.init)
        try await withPasswords(configuration, over: .live, logger: logger, test)
    }

    /// As a page of this site, or an app, would ask.
    private func send(
        _ client: TestClient, _ method: HTTPRequest.Method, _ path: String, from address: String,
        _ body: Body? = nil, forging token: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.forwardedFor: address, .secFetchSite: "same-origin"]
        headers[.contentType] = body?.type
        headers[.authorization] = token.map { "Bearer \($0)" }
        headers[.cookie] = token.map { "__Host-siwa-session=\($0)" }
        return try await client.send(method, path, headers, body: (body?.text).map { ByteBuffer(string: $0) })
    }

    private enum Body {
        case json(String)
        case form(String)

        var type: String {
            switch self {
            case .json: "application/json"
            case .form: "application/x-www-form-urlencoded"
            }
        }

        var text: String {
            switch self {
            case .json(let text), .form(let text): text
            }
        }
    }

    /// The routes that do something for somebody who has proved nothing, with what they are asked.
    private static let calls: [String: Body?] = [
        "POST /v1/sign-in/apple": .json("{}"), "POST /v1/challenges": .json("{}"),
        "POST /v1/authorizations": .json(#"{"app":"x"}"#), "POST /v1/authorizations/redeem": .json("{}"),
        "POST /v1/authorizations/cancel": .json("{}"),
        "POST /v1/session/refresh": .json(#"{"refreshToken":"wrong"}"#),
        "GET /v1/deletions/{handle}": nil, "GET /deletions/{handle}": nil,
        "GET /contact/take-back/{token}": nil, "POST /contact/take-back/{token}": .form(""),
        "GET /sessions/not-me/{token}": nil, "POST /sessions/not-me/{token}": .form(""),
        "GET /sign-in/apple": nil, "POST /sign-in/apple": nil, "POST /sign-in/apple/callback": .form("state=x"),
        "GET /device": nil, "POST /device": .form("code=WRONGONE"), "POST /device/allow": .form("code=WRONGONE"),
        "POST /device/deny": .form("code=WRONGONE"),
        "GET /authorizations/{id}": nil, "POST /authorizations/{id}": nil, "GET /authorizations/{id}/done": nil,
        "GET /authorizations/{id}/return": nil, "POST /apple/notifications": .json("{}"),
        "POST /v1/sign-up": .json("{}"), "POST /v1/sign-in/password": .json("{}"),
        "POST /v1/sign-in/link": .json("{}"), "POST /v1/password/forgotten": .json("{}"),
        "POST /v1/email-links": .json(#"{"link":"wrong"}"#), "POST /v1/sign-up/finish": .json("{}"),
        "POST /v1/sign-in/link/finish": .json("{}"), "POST /v1/password/reset": .json("{}"),
        "POST /sign-in": .form("email=x"), "POST /sign-up": .form("email=x"), "POST /sign-in/link": .form("email=x"),
        "POST /forgotten": .form("email=x"), "GET /email-links/{token}": nil, "POST /email-links/{token}": .form(""),
    ]
    /// Those that cost nothing, whatever is sent along; and the pages that cost nothing where no cookie is.
    private static let free: Set<String> = [
        "GET /healthz", "GET /readyz", "GET /.well-known/jwks.json", "GET /v1/consent-texts/{version}",
        "GET /sign-up", "GET /sign-in/link", "GET /forgotten",
    ]
    private static let open: Set<String> = [
        "GET /", "POST /sign-out", "GET /sign-in",
    ]

    /// A path that the route takes.
    private static func path(_ route: String) -> String {
        route.replacing(/\{handle\}|\{token\}/, with: String(repeating: "A", count: 43))
            .replacing("{id}", with: "none").replacing("{version}", with: "current")
    }

    @Test(
        "are answered 429, with how long to wait, while another address is served", arguments: calls.keys.sorted())
    func refused(route: String) async throws {
        let words = route.split(separator: " ")
        let method = try #require(HTTPRequest.Method(String(words[0])))
        let body = Self.calls[route].flatMap { $0 }
        try await withLimitedService { client, service in
            func send(from address: String) async throws -> TestResponse {
                try await self.send(client, method, Self.path(String(words[1])), from: address, body)
            }
            for _ in 0..<Self.limit { #expect(try await send(from: "192.0.2.1").status != .tooManyRequests) }
            let refused = try await send(from: "192.0.2.1")
            let error = try refused.expectError(.rateLimited, 429)
            #expect(error.details == .rateLimited(RetryDelay(retryAfter: 20)))
            #expect(refused.headers[.retryAfter] == "20")
            #expect(try await send(from: "192.0.2.2").status != .tooManyRequests)
            // The word of a client that is no proxy of ours is not believed.
            #expect(try await send(from: "203.0.113.9, 192.0.2.1").status == .tooManyRequests)
            service.clock.advance(by: .seconds(21))
            #expect(try await send(from: "192.0.2.1").status != .tooManyRequests)
        }
    }

    @Test(
        "are answered 429 if their access tokens are forged, while known tokens are served",
        arguments: ["/v1/account", "/v1/apple/credential-state", "/v1/sessions"])
    func forgedTokens(path: String) async throws {
        try await withLimitedService { client, service in
            func ask(_ token: String, from address: String = "192.0.2.1") async throws -> TestResponse {
                try await client.send(.get, path, [.authorization: "Bearer \(token)", .forwardedFor: address])
            }
            let good = try await service.signInNatively(client).session.accessToken
            let forged = good.dropLast(4) + "AAAA"
            for _ in 0..<Self.limit { try await ask(String(forged)).expectError(.accessTokenInvalid, 401) }
            try await ask(String(forged)).expectError(.rateLimited, 429)
            #expect(try await ask(String(forged), from: "192.0.2.2").status == .unauthorized)
            #expect(try await ask(good).status == .ok)
        }
    }

    /// If you add a route, decide here what it is.
    @Test("are limited on every route, or cost nothing")
    func everyRoute() async throws {
        try await withLimitedService { client, service in
            var configuration = AccountHTTPConfiguration.juice()
            configuration.signInScript = .popup
            let routes = try makeRouter(domain: service.domain, configuration: configuration).routes
            for (number, route) in routes.enumerated() {
                let (method, address) = (route.method, "198.51.100.\(number)")
                // HEAD goes where GET does.
                let name = "\(method == .head ? "GET" : method.rawValue) \(route.path)"
                let path = Self.path("\(route.path)")
                let call = Self.calls[name]
                func last(_ body: Body? = nil, forging token: String? = nil) async throws -> TestResponse {
                    for _ in 0..<Self.limit {
                        let status = try await send(client, method, path, from: address, body, forging: token).status
                        #expect(status != .tooManyRequests, "\(route)")
                    }
                    return try await send(client, method, path, from: address, body, forging: token)
                }
                if let body = call {
                    #expect(try await last(body).status == .tooManyRequests, "\(route)")
                } else if Self.free.contains(name) || path.hasPrefix("/assets/") {
                    #expect(try await last(forging: Self.forgery).status == .ok, "\(route)")
                } else {
                    // From elsewhere: some routes count every request.
                    let refusal = try await send(client, method, path, from: "198.18.0.\(number)")
                    let location = refusal.headers[.location] ?? ""
                    let isSentAway = location == "/" || location.hasPrefix("/?return=")
                    let isRefused = refusal.status == .unauthorized || isSentAway
                    #expect(isRefused || Self.open.contains(name), "\(route)")
                    #expect(try await last(forging: Self.forgery).status == .tooManyRequests, "\(route)")
                }
            }
            let names = Set(routes.map { "\($0.method.rawValue) \($0.path)" })
            #expect(Self.free.union(Self.open).union(Self.calls.keys).subtracting(names) == [], "are no routes")
        }
    }

    /// In the form of a session cookie or a refresh token, and of a session that there is none of.
    private static let forgery = "ses_\(String(repeating: "0", count: 26)).\(String(repeating: "A", count: 43))"

    @Test("are answered 429 if their session cookies are forged, while signed-in browsers are served")
    func forgedCookies() async throws {
        try await withLimitedService { client, service in
            let good = try await service.signInWithBrowser(client)
            func ask(_ cookie: String, from address: String = "192.0.2.1") async throws -> TestResponse {
                try await client.send(.get, "/account", [.cookie: cookie, .forwardedFor: address])
            }
            for _ in 0..<Self.limit * 2 { #expect(try await ask(good).status == .ok) }
            let forged = String(good.dropLast(4) + "AAAA")
            for _ in 0..<Self.limit { #expect(try await ask(forged).status == .seeOther) }
            let refused = try await ask(forged)
            try refused.expectError(.rateLimited, 429)
            #expect(refused.headers[.setCookie] == nil, "it may be good, and is kept")
            #expect(try await ask(forged, from: "192.0.2.2").status == .seeOther)
            #expect(try await ask(good).status == .ok)
            // A page that anybody may see is one without a cookie still.
            let page = try await client.send(.get, "/", [.forwardedFor: "192.0.2.1"])
            #expect(page.status == .ok)
            service.clock.advance(by: .seconds(21))
            #expect(try await ask(forged).status == .seeOther)
        }
    }

    @Test("are answered 429 if notifications name unknown keys, and are logged once")
    func inventedKeys() async throws {
        var handler = InMemoryLogHandler()
        handler.logLevel = .info
        let logger = Logger(label: "test") { [handler] _ in handler }
        try await withLimitedService(logger: logger) { client, service in
            // Apple's keys are there.
            _ = try await service.signInNatively(client)
            var statuses: [Int] = []
            for number in 0..<20 {
                let header = Data(#"{"alg":"RS256","kid":"invented-\#(number)"}"#.utf8).base64EncodedString()
                    .replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_")
                let body = #"{"payload":"\#(header).e30.\#(String(repeating: "A", count: 342))"}"#
                let answer = try await send(client, .post, "/apple/notifications", from: "192.0.2.1", .json(body))
                statuses.append(answer.status.code)
            }
            #expect(statuses == [401, 503, 503] + Array(repeating: 429, count: 17))
        }
        #expect(handler.entries.filter { "\($0.message)".contains("names an unknown key") }.count == 1)
        #expect(!handler.entries.contains { $0.level >= .warning })
    }

    @Test("to pages don't keep devices from redeeming")
    func redemption() async throws {
        try await withLimitedService { client, _ in
            for _ in 0...Self.limit { _ = try await send(client, .get, "/device", from: "192.0.2.1") }
            #expect(try await send(client, .get, "/device", from: "192.0.2.1").status == .tooManyRequests)
            let answer = try await send(client, .post, "/v1/authorizations/redeem", from: "192.0.2.1", .json("{}"))
            #expect(answer.status == .badRequest)
        }
    }

    @Test("aren't counted if their refresh tokens are good")
    func refresh() async throws {
        try await withLimitedService { client, service in
            var token = try await service.signInNatively(client).session.refreshToken
            for _ in 0..<Self.limit * 3 {
                let answer: RefreshAnswer = try await client.post(
                    "/v1/session/refresh", json: RefreshRequest(refreshToken: token)
                ).decode()
                token = answer.session.refreshToken
            }
        }
    }
}
