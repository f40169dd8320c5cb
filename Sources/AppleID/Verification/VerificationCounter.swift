import AppleIDTransport
import CoreMetrics

/// Counts verifications by outcome. There is no span around one: it takes a few microseconds and waits for nobody,
/// unless it needs keys, and fetching those has a span.
struct VerificationCounter: Sendable {
    private static let label = "apple_id.verifications"
    private let kind: String
    private let factory: any MetricsFactory
    /// Made once, since making it costs more than counting.
    private let verified: Counter

    init(kind: String, instrumentation: AppleIDInstrumentation) {
        self.kind = kind
        factory = instrumentation.metrics
        verified = Counter(label: Self.label, dimensions: [("kind", kind), ("outcome", "ok")], factory: factory)
    }

    /// Counts the outcome of a whole verification, with the check for used tokens.
    @inline(__always)
    func counting<Verified>(
        _ verify: () async throws(AppleIDError) -> Verified
    ) async throws(AppleIDError) -> Verified {
        do throws(AppleIDError) {
            let value = try await verify()
            verified.increment()
            return value
        } catch {
            count(error)
            throw error
        }
    }

    func count(_ error: AppleIDError) {
        Counter(
            label: Self.label, dimensions: [("kind", kind), ("outcome", error.code.description)], factory: factory
        ).increment()
    }
}
