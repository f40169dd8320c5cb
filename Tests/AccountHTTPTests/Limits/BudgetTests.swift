import AccountAPI
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AccountHTTP

@Suite("Too many requests from one address")
struct BudgetTests {
    private static let limit = 3

    private func withLimitedService(
        _ test: @escaping @Sendable (TestClient, TestService) async throws -> Void
    ) async throws {
        var configuration = AccountHTTPConfiguration.juice()
        configuration.requestBudget = Self.limit
        configuration.trustedProxies = ["127.0.0.0/8", "::1"].compactMap(AddressRange.init)
        try await withService(configuration, over: .live, test)
    }

    private func send(
        _ client: TestClient, _ method: HTTPRequest.Method, _ path: String, from address: String, json: String? = nil,
        form: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.forwardedFor: address]
        if json != nil { headers[.contentType] = "application/json" }
        if form != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        return try await client.send(method, path, headers, body: (json ?? form).map { ByteBuffer(string: $0) })
    }

    private static let calls: [(HTTPRequest.Method, String, String?, String?)] = [
        (.post, "/v1/sign-in/apple", "{}", nil), (.post, "/v1/challenges", "{}", nil),
        (.post, "/v1/authorizations", #"{"app":"x"}"#, nil), (.post, "/v1/authorizations/redeem", "{}", nil),
        (.post, "/v1/authorizations/cancel", "{}", nil),
        (.post, "/v1/session/refresh", #"{"refreshToken":"wrong"}"#, nil), (.get, "/sign-in/apple", nil, nil),
        (.post, "/sign-in/apple/callback", nil, "state=x"), (.get, "/device", nil, nil),
        (.post, "/apple/notifications", "{}", nil),
        (.get, "/v1/deletions/\(String(repeating: "A", count: 43))", nil, nil),
        (.get, "/deletions/\(String(repeating: "A", count: 43))", nil, nil),
    ]

    @Test("are answered 429, with how long to wait, while another address is served", arguments: 0..<calls.count)
    func refused(index: Int) async throws {
        let (method, path, json, form) = Self.calls[index]
        try await withLimitedService { client, service in
            func send(from address: String) async throws -> TestResponse {
                try await self.send(client, method, path, from: address, json: json, form: form)
            }
            for _ in 0..<Self.limit { #expect(try await send(from: "192.0.2.1").status != .tooManyRequests) }
            let refused = try await send(from: "192.0.2.1")
            let error = try refused.expectError(.rateLimited, 429)
            #expect(error.details == .rateLimited(RetryDelay(retryAfter: 20)))
            #expect(refused.headers[.retryAfter] == "20")
            #expect(try await send(from: "192.0.2.2").status != .tooManyRequests)
            // What somebody says who is no proxy of ours is not believed.
            #expect(try await send(from: "203.0.113.9, 192.0.2.1").status == .tooManyRequests)
            service.clock.advance(by: .seconds(21))
            #expect(try await send(from: "192.0.2.1").status != .tooManyRequests)
        }
    }

    @Test(
        "are answered 429 where an access token is none, and nobody whose token is known waits for that",
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

    @Test("leave devices that wait what pages have used up")
    func redemption() async throws {
        try await withLimitedService { client, _ in
            for _ in 0...Self.limit { _ = try await send(client, .get, "/device", from: "192.0.2.1") }
            #expect(try await send(client, .get, "/device", from: "192.0.2.1").status == .tooManyRequests)
            let answer = try await send(client, .post, "/v1/authorizations/redeem", from: "192.0.2.1", json: "{}")
            #expect(answer.status == .badRequest)
        }
    }

    @Test("are not counted where a refresh token is good")
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
