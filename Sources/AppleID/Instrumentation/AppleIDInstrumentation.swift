public import CoreMetrics
public import Tracing

/// Where counters, timers and spans go. Their names are listed in the package's page about this library; none holds a
/// token, a code, or anything about a person.
public struct AppleIDInstrumentation: Sendable {
    public var metrics: any MetricsFactory
    public var tracer: any Tracer

    public init(metrics: any MetricsFactory, tracer: any Tracer) {
        self.metrics = metrics
        self.tracer = tracer
    }

    /// What the process was bootstrapped with by the time this is read; nothing otherwise.
    public static var system: Self {
        Self(metrics: MetricsSystem.factory, tracer: InstrumentationSystem.tracer)
    }
}
