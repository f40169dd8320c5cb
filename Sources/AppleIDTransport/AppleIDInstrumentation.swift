public import CoreMetrics
public import Tracing

/// The places where counters, timers and spans go.
///
/// The package's page about this library lists their names. None holds a token, a code, or anything about a person.
public struct AppleIDInstrumentation: Sendable {
    /// Receives counters and timers.
    public var metrics: any MetricsFactory
    /// Receives a span for each request to Apple.
    public var tracer: any Tracer

    /// Creates an instrumentation of your own, in tests above all; ``system`` is the usual one.
    public init(metrics: any MetricsFactory, tracer: any Tracer) {
        self.metrics = metrics
        self.tracer = tracer
    }

    /// The metrics and the tracer that the process was bootstrapped with by the time this is read; otherwise nothing.
    public static var system: Self {
        Self(metrics: MetricsSystem.factory, tracer: InstrumentationSystem.tracer)
    }

    /// The names under which a call is measured.
    package struct CallNames: Sendable {
        let span: String
        /// The span's attribute that says how the call ended.
        let outcomeAttribute: String
        let timer: String
        let counter: String
        /// The dimensions of timer and counter; the counter's outcome comes after them.
        let dimensions: [(String, String)]

        package init(
            span: String, outcomeAttribute: String, timer: String, counter: String,
            dimensions: [(String, String)] = []
        ) {
            self.span = span
            self.outcomeAttribute = outcomeAttribute
            self.timer = timer
            self.counter = counter
            self.dimensions = dimensions
        }
    }

    /// Counts and times a call to another server by its outcome, and puts a span around it.
    package func measure<Answer, Failure: CodedError>(
        _ names: CallNames, _ body: () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        let start = ContinuousClock.now
        let span = tracer.startSpan(names.span, ofKind: .client)
        let result = await ServiceContext.withValue(span.context) { () async -> Result<Answer, Failure> in
            do throws(Failure) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        let outcome =
            switch result {
            case .success: "ok"
            case .failure(let error): error.codeWord
            }
        span.attributes[names.outcomeAttribute] = outcome
        // Only the code: a reason may quote what the other server sent.
        if case .failure = result { span.setStatus(SpanStatus(code: .error, message: outcome)) }
        span.end()
        let elapsed = (ContinuousClock.now - start).components
        CoreMetrics.Timer(label: names.timer, dimensions: names.dimensions, factory: metrics)
            .recordNanoseconds(elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000)
        Counter(label: names.counter, dimensions: names.dimensions + [("outcome", outcome)], factory: metrics)
            .increment()
        return try result.get()
    }
}
