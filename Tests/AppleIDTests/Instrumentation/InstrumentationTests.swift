import AppleIDTypes
import Foundation
import InMemoryTracing
import Logging
import MetricsTestKit
import Testing
import Tracing

@testable import AppleID

@Suite("Counters, timers and spans")
struct InstrumentationTests {
    let metrics = TestMetrics()
    let tracer = InMemoryTracer()
    let setup: TestClient

    init() throws {
        setup = try TestClient(instrumentation: AppleIDInstrumentation(metrics: metrics, tracer: tracer))
    }

    private func total(_ label: String, _ dimensions: [(String, String)]) -> Int64 {
        metrics.counterTotal(label: label, dimensions: dimensions)
    }

    @Test("A call is counted by its outcome, timed, and has a span inside the caller's")
    func call() async throws {
        setup.transport.answer(TestClient.answer(), .status(400, #"{"error":"invalid_grant"}"#))
        let start = ContinuousClock.now
        await tracer.withSpan("sign-in") { _ in
            for _ in 0..<2 {
                _ = await failure { () async throws(AppleIDError) in
                    _ = try await setup.client.refresh(
                        RefreshToken("r.private"), client: "com.example.juice", subject: "s")
                }
            }
        }
        #expect(total("apple_id.calls", [("call", "refresh"), ("outcome", "ok")]) == 1)
        #expect(total("apple_id.calls", [("call", "refresh"), ("outcome", "grant_rejected")]) == 1)
        let timer = try metrics.expectTimer("apple_id.call.duration", [("call", "refresh")])
        #expect(timer.values.count == 2)
        // In nanoseconds: each took some, and both no more than went by here.
        #expect(timer.values.allSatisfy { $0 > 0 })
        #expect(Duration.nanoseconds(timer.values.reduce(0, +)) <= ContinuousClock.now - start)

        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["apple_id.refresh", "apple_id.refresh", "sign-in"])
        #expect(spans.prefix(2).allSatisfy { $0.kind == .client && $0.parentSpanID == spans[2].spanID })
        #expect(spans[0].status == nil)
        #expect(spans[1].status == SpanStatus(code: .error, message: "grant_rejected"))
        #expect(!"\(spans)".contains("private"))
    }

    @Test("A repetition is counted, and the call once")
    func repetition() async throws {
        setup.transport.answer(.status(500), .status(500), .status(200))
        try await setup.client.revoke(RefreshToken("r"), client: "com.example.juice")
        #expect(total("apple_id.repetitions", [("call", "revocation")]) == 2)
        #expect(total("apple_id.calls", [("call", "revocation"), ("outcome", "ok")]) == 1)
        #expect(tracer.finishedSpans.count == 1)
    }

    @Test("Verifications are counted by outcome, and fetching the keys has a span of its own")
    func verification() async throws {
        let expectation = IdentityExpectation(audiences: [TestClaims.audience], nonce: .noneSent)
        let verifier = setup.client.identityVerifier
        for _ in 0..<3 {
            _ = try await verifier.verify(try TestSigner.shared.token(.identity()), expecting: expectation)
        }
        for token in ["x", try TestSigner.shared.token(.identity(["exp": "1"]))] {
            await #expect(throws: AppleIDError.self) { try await verifier.verify(token, expecting: expectation) }
        }
        func count(_ outcome: String) -> Int64 {
            total("apple_id.verifications", [("kind", "identity_token"), ("outcome", outcome)])
        }
        #expect(count("ok") == 3)
        #expect(count("malformed_token") == 1)
        #expect(count("token_expired") == 1)
        #expect(total("apple_id.calls", [("call", "keys"), ("outcome", "ok")]) == 1)
        #expect(tracer.finishedSpans.map(\.operationName) == ["apple_id.keys"])
    }

    @Test("A replayed token is counted as replayed, not as verified")
    func replay() async throws {
        let memory = InMemoryReplayMemory(environment: setup.clock.environment)
        let token = try TestSigner.shared.token(.identity())
        let expectation = IdentityExpectation(audiences: [TestClaims.audience], nonce: .noneSent)
        let verifier = setup.client.identityVerifier
        _ = try await verifier.verify(token, expecting: expectation, replay: memory)
        await #expect(throws: AppleIDError(.tokenReplayed, "")) {
            try await verifier.verify(token, expecting: expectation, replay: memory)
        }
        for outcome in ["ok", "token_replayed"] {
            #expect(total("apple_id.verifications", [("kind", "identity_token"), ("outcome", outcome)]) == 1)
        }
    }

    @Test("Notifications are counted apart, their bodies too")
    func notification() async throws {
        let expectation = NotificationExpectation(audiences: [TestClaims.audience])
        let payload = try TestSigner.shared.token(.notification())
        let verifier = setup.client.notificationVerifier
        _ = try await verifier.verify(body: Array(#"{"payload":"\#(payload)"}"#.utf8), expecting: expectation)
        await #expect(throws: AppleIDError.self) { try await verifier.verify(body: [], expecting: expectation) }
        func count(_ outcome: String) -> Int64 {
            total("apple_id.verifications", [("kind", "notification"), ("outcome", outcome)])
        }
        #expect(count("ok") == 1)
        #expect(count("malformed_token") == 1)
    }

    @Test("Labels and dimensions hold only fixed words, so their number is limited")
    func series() async throws {
        for word in ["a", "b", "c"] {
            setup.transport.answer(.status(400, #"{"error":"\#(word)"}"#))
            _ = await failure { () async throws(AppleIDError) in
                _ = try await setup.client.exchange(
                    code: AuthorizationCode(word), client: "com.example.juice", nonce: .noneSent)
            }
        }
        let series = metrics.counters.filter { $0.label == "apple_id.calls" }.map { $0.dimensions.map(\.1) }
        #expect(Set(series) == [["keys", "ok"], ["exchange", "exchange_outcome_unknown"]] && series.count == 2)
    }
}
