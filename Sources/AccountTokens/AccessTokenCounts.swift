import AppleID
import CoreMetrics
import Tracing

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

    /// Counts what a whole verification came to.
    func verification<Verified>(
        _ verify: () async throws(AccessTokenError) -> Verified
    ) async throws(AccessTokenError) -> Verified {
        do throws(AccessTokenError) {
            let value = try await verify()
            verified.increment()
            return value
        } catch {
            count(Self.verificationsLabel, error.code.description)
            throw error
        }
    }

    /// Counts and times a fetch, and puts a span around it.
    func fetch<Keys: Sendable>(
        _ fetch: () async throws(AppleIDError) -> Keys
    ) async throws(AppleIDError) -> Keys {
        let start = ContinuousClock.now
        let span = instrumentation.tracer.startSpan("account_tokens.keys", ofKind: .client)
        let result = await ServiceContext.withValue(span.context) { () async -> Result<Keys, AppleIDError> in
            do throws(AppleIDError) {
                return .success(try await fetch())
            } catch {
                return .failure(error)
            }
        }
        let outcome =
            switch result {
            case .success: "ok"
            case .failure(let error): error.code.description
            }
        span.attributes["account_tokens.outcome"] = outcome
        if case .failure = result { span.setStatus(SpanStatus(code: .error, message: outcome)) }
        span.end()
        let elapsed = (ContinuousClock.now - start).components
        CoreMetrics.Timer(
            label: "account_tokens.key_fetch.duration", dimensions: [], factory: instrumentation.metrics
        ).recordNanoseconds(elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000)
        count("account_tokens.key_fetches", outcome)
        return try result.get()
    }

    private func count(_ label: String, _ outcome: String) {
        Counter(label: label, dimensions: [("outcome", outcome)], factory: instrumentation.metrics).increment()
    }
}
