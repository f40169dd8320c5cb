import CoreMetrics
import Tracing

extension AppleIDInstrumentation {
    /// Counts and times what Apple is asked for, and puts a span around it.
    func call<Answer>(
        _ call: AppleCall, _ body: () async throws(AppleIDError) -> Answer
    ) async throws(AppleIDError) -> Answer {
        let start = ContinuousClock.now
        let span = tracer.startSpan("apple_id.\(call.rawValue)", ofKind: .client)
        let result = await ServiceContext.withValue(span.context) { () async -> Result<Answer, AppleIDError> in
            do throws(AppleIDError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        let outcome = Self.outcome(of: result)
        span.attributes["apple_id.outcome"] = outcome
        // Only the code: a reason may quote what Apple sent.
        if case .failure = result { span.setStatus(SpanStatus(code: .error, message: outcome)) }
        span.end()
        let elapsed = (ContinuousClock.now - start).components
        CoreMetrics.Timer(
            label: "apple_id.call.duration", dimensions: [("call", call.rawValue)], factory: metrics
        ).recordNanoseconds(elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000)
        Counter(
            label: "apple_id.calls", dimensions: [("call", call.rawValue), ("outcome", outcome)], factory: metrics
        ).increment()
        return try result.get()
    }

    func countRepetition(of call: AppleCall) {
        Counter(label: "apple_id.repetitions", dimensions: [("call", call.rawValue)], factory: metrics).increment()
    }

    private static func outcome(of result: Result<some Any, AppleIDError>) -> String {
        switch result {
        case .success: "ok"
        case .failure(let error): error.code.description
        }
    }
}
