import AccountTokens
import AppleIDTransport
import InMemoryTracing
import MetricsTestKit
import Testing
import Tracing

@Suite("The metrics of the access token verifier")
struct CountTests {
    let metrics = TestMetrics()
    let tracer = InMemoryTracer()
    let environment: TestEnvironment
    let verifier: AccessTokenVerifier

    init() throws {
        environment = try TestEnvironment()
        verifier = try environment.verifier(
            instrumentation: AppleIDInstrumentation(metrics: metrics, tracer: tracer))
    }

    private func total(_ label: String, _ outcome: String) -> Int64 {
        metrics.counterTotal(label: label, dimensions: [("outcome", outcome)])
    }

    @Test("count verifications by their outcome, and the one fetch of the keys")
    func verifications() async throws {
        let token = try environment.issuer.token()
        for _ in 0..<3 { _ = try await verifier.verify(token) }
        await #expect(throws: AccessTokenError(.malformedToken, "")) { try await verifier.verify("x") }
        await #expect(throws: AccessTokenError(.tokenExpired, "")) {
            try await verifier.verify(environment.issuer.token(claims: ["exp": "1"]))
        }
        #expect(total("account_tokens.verifications", "ok") == 3)
        #expect(total("account_tokens.verifications", "malformed_token") == 1)
        #expect(total("account_tokens.verifications", "token_expired") == 1)
        #expect(total("account_tokens.key_fetches", "ok") == 1)
        #expect(try metrics.expectTimer("account_tokens.key_fetch.duration", []).values.count == 1)
        #expect(tracer.finishedSpans.map(\.operationName) == ["account_tokens.keys"])
        #expect(!"\(tracer.finishedSpans)".contains(token))
    }

    @Test("count a failed fetch with its reason")
    func failure() async throws {
        environment.answer(503, [])
        await #expect(throws: AccessTokenError(.keysUnavailable, "")) {
            try await verifier.verify(environment.issuer.token())
        }
        #expect(total("account_tokens.key_fetches", "apple_unavailable") == 1)
        #expect(total("account_tokens.verifications", "keys_unavailable") == 1)
        #expect(tracer.finishedSpans.first?.status == SpanStatus(code: .error, message: "apple_unavailable"))
    }
}
