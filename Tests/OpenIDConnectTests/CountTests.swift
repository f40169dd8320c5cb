import AppleIDTransport
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import OpenIDConnect
import Testing

@Suite("Counts, logs and spans of a provider")
struct CountTests {
    @Test("name provider, call and outcome, and nothing of a person or a request")
    func counts() async throws {
        let metrics = TestMetrics()
        let tracer = InMemoryTracer()
        let provider = TestProvider()
        let client = ProviderClient(
            try ProviderConfiguration(
                id: ProviderID("example"), issuer: provider.issuer, clientID: "client-1",
                credential: .secret("s3cret"), button: ProviderButton(name: "Example")),
            transport: TestNetwork(provider), environment: provider.clock.environment,
            instrumentation: AppleIDInstrumentation(metrics: metrics, tracer: tracer), logger: Logger(label: "test"))
        let (url, attempt) = try await client.begin(ProviderRequest(redirectURI: TestClient.redirectURI))
        let fields = try provider.authorize(url)
        let identity = try await client.finish(
            ProviderCallback(fields: fields, at: TestClient.redirectURI), of: attempt)
        let spans = "\(tracer.finishedSpans)"
        #expect(tracer.finishedSpans.count >= 2, "\(spans)")
        let code = try #require(fields.first { $0.name == "code" }).value
        for secret in [code, attempt.state, identity.identityToken, identity.subject, "s3cret"] {
            #expect(!spans.contains(secret), "\(secret)")
        }
        _ = try await failure { try await client.verify(provider.token(), nonce: .issued("other")) }
        for (label, dimensions) in [
            ("open_id_connect.calls", [("provider", "example"), ("call", "discovery"), ("outcome", "ok")]),
            ("open_id_connect.calls", [("provider", "example"), ("call", "exchange"), ("outcome", "ok")]),
            ("open_id_connect.verifications", [("provider", "example"), ("outcome", "ok")]),
            ("open_id_connect.verifications", [("provider", "example"), ("outcome", "nonce_mismatch")]),
        ] {
            #expect(metrics.counterTotal(label: label, dimensions: dimensions) == 1, "\(label) \(dimensions)")
        }
    }

    @Test("say why a provider's document is refused, by code, and keep its text out")
    func logs() async throws {
        var log = InMemoryLogHandler()
        log.logLevel = .info
        let provider = TestProvider()
        provider.document(["issuer": #""https://evil.example.com""#])
        let handler = log
        let logger = Logger(label: "test") { _ in handler }
        let client = ProviderClient(
            try ProviderConfiguration(
                id: ProviderID("example"), issuer: provider.issuer, clientID: "client-1",
                credential: .secret("s3cret"), button: ProviderButton(name: "Example")),
            transport: TestNetwork(provider), environment: provider.clock.environment, logger: logger)
        _ = try await failure { try await client.begin(ProviderRequest(redirectURI: TestClient.redirectURI)) }
        let entries = log.entries
        #expect(entries.map { "\($0.message)" } == ["could not fetch the key set"])
        #expect(entries.first?.metadata["provider"] == "example")
        #expect(entries.first?.metadata["error"] == "metadata_issuer_mismatch")
    }
}
