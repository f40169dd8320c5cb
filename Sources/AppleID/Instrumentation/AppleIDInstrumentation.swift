public import CoreMetrics
public import Tracing

/// Where counters, timers and spans go. Their names are listed in the package's page about this library; none holds a
/// token, a code, or anything about a person.
public struct AppleIDInstrumentation: Sendable {
    /// Gets counters and timers.
    public var metrics: any MetricsFactory
    /// Gets a span for each request to Apple.
    public var tracer: any Tracer

    /// For others than those of the process, in tests above all.
    public init(metrics: any MetricsFactory, tracer: any Tracer) {
        self.metrics = metrics
        self.tracer = tracer
    }

    /// What the process was bootstrapped with by the time this is read; nothing otherwise.
    public static var system: Self {
        Self(metrics: MetricsSystem.factory, tracer: InstrumentationSystem.tracer)
    }
}
