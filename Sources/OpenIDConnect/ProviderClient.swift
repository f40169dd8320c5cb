// Transport and instrumentation are parts of this library's interface, so one import is enough for its users.
@_exported public import AppleIDTransport
import CoreMetrics
public import Logging

/// A relying party's side of OpenID Connect at one provider: it sends browsers there, redeems the codes that come back,
/// and verifies identity tokens.
///
/// Make one for each provider when your server starts, and share it. It asks the provider for nothing before it is used.
public struct ProviderClient: Sendable {
    /// The registration at the provider.
    public let configuration: ProviderConfiguration
    let source: ProviderSource
    let transport: LimitedTransport
    let environment: OpenIDConnectEnvironment
    let instrumentation: AppleIDInstrumentation

    /// Creates a client.
    /// - Parameters:
    ///   - transport: for example an `AsyncHTTPTransport`. It must not follow redirects. One transport serves all
    ///     providers.
    ///   - timeLimit: the time limit for a whole request. A response has at most 64 KB.
    ///   - instrumentation: receives counters, timers and spans.
    public init(
        _ configuration: ProviderConfiguration, transport: any AppleTransport, timeLimit: Duration = .seconds(10),
        environment: OpenIDConnectEnvironment = .live, instrumentation: AppleIDInstrumentation = .system,
        logger: Logger
    ) {
        self.configuration = configuration
        self.environment = environment
        self.instrumentation = instrumentation
        self.transport = LimitedTransport(transport: transport, timeLimit: timeLimit)
        source = ProviderSource(
            configuration, transport: self.transport, environment: environment, instrumentation: instrumentation,
            logger: logger)
    }

    /// Fetches the provider's document and keys in the background when they are older than an hour.
    ///
    /// The client does so by itself when it is used; a server calls this every few minutes, so that a quiet one meets an
    /// outage of the provider's with young keys too.
    public func refreshIfOld() { source.refreshIfOld() }

    /// Counts a verification by its outcome.
    func count(_ outcome: String) {
        Counter(
            label: "open_id_connect.verifications",
            dimensions: [("provider", configuration.id.rawValue), ("outcome", outcome)],
            factory: instrumentation.metrics
        ).increment()
    }
}
