import AccountAPI
import AccountService
import AppleID
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import MetricsTestKit
import Testing

@Suite("Metrics of requests") struct RequestMetricsTests {
    private func counting(
        _ test: @Sendable (TestClient, TestService, TestMetrics) async throws -> Void
    ) async throws {
        let metrics = TestMetrics()
        var instrumentation = AppleIDInstrumentation.system
        instrumentation.metrics = metrics
        try await withService(instrumentation: instrumentation) { client, service in
            try await test(client, service, metrics)
        }
    }

    private func count(_ metrics: TestMetrics, _ method: String, _ route: String, _ status: String) throws -> Int64 {
        try metrics.expectCounter(
            "accounts.requests", [("method", method), ("route", route), ("status", status)]
        ).totalValue
    }

    private func times(_ metrics: TestMetrics, _ method: String, _ route: String) throws -> [Int64] {
        try metrics.expectTimer("accounts.request.duration", [("method", method), ("route", route)]).values
    }

    @Test("A request is counted by method, route and class of its status, and timed by method and route")
    func counts() async throws {
        try await counting { client, _, metrics in
            _ = try await client.page("/")
            _ = try await client.page("/?secret=1")
            _ = try await client.send(.head, "/")
            _ = try await client.page("/account")
            _ = try await client.send(.get, "/v1/account")
            #expect(try count(metrics, "GET", "/", "2xx") == 2)
            #expect(try count(metrics, "HEAD", "/", "2xx") == 1)
            #expect(try count(metrics, "GET", "/account", "3xx") == 1)
            #expect(try count(metrics, "GET", "/v1/account", "4xx") == 1)
            #expect(try times(metrics, "GET", "/").count == 2)
            #expect(try times(metrics, "GET", "/v1/account").allSatisfy { $0 > 0 })
        }
    }

    @Test("Paths, queries and methods that a client makes up are in no label, and add no series")
    func bounded() async throws {
        try await counting { client, _, metrics in
            for number in 0..<20 {
                _ = try await client.send(.get, "/secret\(number)")
                _ = try await client.send(.get, "/deletions/secret\(number)")
                _ = try await client.send(try #require(HTTPRequest.Method("SECRET\(number)")), "/secret\(number)")
                _ = try await client.send(try #require(HTTPRequest.Method("SECRET\(number)")), "/account")
            }
            #expect(try count(metrics, "GET", "none", "4xx") == 20)
            #expect(try count(metrics, "GET", "/deletions/{handle}", "4xx") == 20)
            // A path that is known, by a method that is not, is no route either.
            #expect(try count(metrics, "other", "none", "4xx") == 40)
            // The client for Apple counts in the same place.
            let counters = metrics.counters.filter { $0.label.hasPrefix("accounts.request") }
            let timers = metrics.timers.filter { $0.label.hasPrefix("accounts.request") }
            #expect(counters.count == 3 && timers.count == 3)
        }
    }

    @Test("The store's failure is a 5xx of its route")
    func failures() async throws {
        try await counting { client, service, metrics in
            let token = try await service.signInNatively(client).session.accessToken
            try await service.closeStore()
            #expect(
                try await client.send(.get, "/v1/account", [.authorization: "Bearer \(token)"]).status.kind
                    == .serverError)
            #expect(try count(metrics, "GET", "/v1/account", "5xx") == 1)
        }
    }

    @Test("A stream counts as one request")
    func streams() async throws {
        try await counting { client, service, metrics in
            let signedIn = try await service.signInNatively(client)
            let token = signedIn.session.accessToken
            let bearer: HTTPFields = [.authorization: "Bearer \(token)"]
            async let stream = client.send(.get, "/v1/account/events", bearer)
            let follows = service.domain.bell.counts(of: AccountID(rawValue: signedIn.account.id))
            _ = await follows.first { $0 == 1 }
            _ = try await client.send(.delete, "/v1/session", bearer)
            #expect(try await stream.status == .ok)
            #expect(try count(metrics, "GET", "/v1/account/events", "2xx") == 1)
            #expect(try times(metrics, "GET", "/v1/account/events").count == 1)
        }
    }
}
