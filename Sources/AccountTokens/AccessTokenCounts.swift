import AppleIDTransport
import CoreMetrics

/// Counts verifications and fetches of the key set by outcome. There is no span around a verification: it takes
/// microseconds and waits for nobody but the keys, and fetching those has one.
struct AccessTokenCounts: Sendable {
    private static let verificationsLabel = "account_tokens.verifications"
    private let instrumentation: AppleIDInstrumentation
    /// Made once, since making it costs more than counting.
    private let verified: Counter

    init(_ instrumentation: AppleIDInstrumentation) {
        self.instrumentation = instrumentation
        verified = Counter(
            label: Self.verificationsLabel, dimensions: [("outcome", "ok")], factory: instrumentation.metrics)
    }

    /// Counts the outcome of a whole verification.
    func verification<Verified>(
        _ verify: () async throws(AccessTokenError) -> Verified
    ) async throws(AccessTokenError) -> Verified {
        do throws(AccessTokenError) {
            let value = try await verify()
            verified.increment()
            return value
        } catch {
            Counter(
                label: Self.verificationsLabel, dimensions: [("outcome", error.code.description)],
                factory: instrumentation.metrics
            ).increment()
            throw error
        }
    }

    /// Counts and times a fetch of the key set, and puts a span around it.
    func fetch<Keys>(_ fetch: () async throws(KeySetError) -> Keys) async throws(KeySetError) -> Keys {
        try await instrumentation.measure(
            AppleIDInstrumentation.CallNames(
                span: "account_tokens.keys", outcomeAttribute: "account_tokens.outcome",
                timer: "account_tokens.key_fetch.duration", counter: "account_tokens.key_fetches"),
            fetch)
    }
}
