package import AccountService
import AppleID
import CoreMetrics
import HTTPConnections
package import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
package import NIOSSL

/// Builds the account service's HTTP server without the domain. ``AccountServer`` runs both, and the tests use the same
/// application.
/// - Parameters:
///   - host: The address to listen on; loopback by default.
///   - port: The port to listen on; 0 lets the system choose.
///   - onServerRunning: Called with the port once the server accepts connections.
///   - tls: The server's certificate. Nil if a proxy does TLS, or if only this machine reaches the server.
///   - proxies: The trusted proxies of a server that changes them while it runs. Nil for those of the configuration.
/// - Throws: An error if `tls` can't be used.
@available(siwaServer 1.0, *)
package func buildApplication(
    domain: AccountDomain,
    configuration: AccountHTTPConfiguration = AccountHTTPConfiguration(),
    host: String = "127.0.0.1", port: Int = 4_000, tls: TLSConfiguration? = nil,
    proxies: TrustedProxies? = nil,
    onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in },
    logger: Logger
) throws -> some ApplicationProtocol {
    let proxies = proxies ?? TrustedProxies(configuration.trustedProxies)
    let count = ConnectionCount(configuration, proxies)
    let plain = HTTPServerBuilder.guarded(
        HTTP1Channel.Configuration(limits: configuration.limits), count: count,
        writeTimeout: configuration.limits.writeTimeout)
    return Application(
        router: try makeRouter(domain: domain, configuration: configuration, proxies: proxies),
        server: try tls.map { try .tls(plain, tlsConfiguration: $0) } ?? plain,
        configuration: ApplicationConfiguration(
            address: .hostname(host, port: port), availableConnectionsDelegate: count.delegate),
        onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) },
        logger: logger
    )
}

/// The router of all routes of ``Route/table`` that the settings allow.
@available(siwaServer 1.0, *)
func makeRouter(
    domain: AccountDomain, configuration: AccountHTTPConfiguration, proxies: TrustedProxies? = nil
) throws -> Router<ServiceContext> {
    // A service for apps alone has no Services ID to ask Apple with, and so none of the pages that lead to Apple.
    let hasWebSignIn = domain.configuration.webClient != nil
    let hasPasswords = domain.passwords != nil
    let providers = domain.providers
    let hasProviders = !providers.inBrowsers.isEmpty
    let pages = try PageRenderer(
        configuration: configuration, publicURL: domain.configuration.publicURL, apps: domain.configuration.apps,
        hasWebSignIn: hasWebSignIn, hasPasswords: hasPasswords, providers: providers.configurations)
    let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
    let metrics = domain.instrumentation.metrics
    // Without a metrics backend nobody could read the counts.
    if !(metrics is NOOPMetricsHandler) { router.add(middleware: RequestMetricsMiddleware(factory: metrics)) }
    router.add(middleware: ResponseHeadersMiddleware(publicURL: domain.configuration.publicURL))
    router.add(middleware: ErrorMiddleware(pages: pages))
    router.add(middleware: RequestLimitsMiddleware(limits: configuration.limits))

    let callers = CallerReader(proxies: proxies ?? TrustedProxies(configuration.trustedProxies))
    let budgets = AddressBudgets(perMinute: configuration.requestBudget) { [environment = domain.environment] in
        Timestamp(environment.now())
    }
    let guards = RouteGuards(
        router: router,
        controllers: Controllers(domain: domain, configuration: configuration, pages: pages, callers: callers),
        domain: domain, budgets: budgets, callers: callers)
    for route in Route.table.flatMap(\.routes) {
        let isThere =
            switch route.condition {
            case .always: true
            case .webSignIn: hasWebSignIn
            case .browserSignIn: hasWebSignIn || hasPasswords || hasProviders
            case .providers: !providers.configurations.isEmpty
            case .providersInBrowsers: hasProviders
            case .passwords: hasPasswords
            case .passwordsAndWebSignIn: hasWebSignIn && hasPasswords
            case .signInScript: hasWebSignIn && configuration.signInScript != nil
            case .servicesID: hasWebSignIn || domain.configuration.apps.contains { $0.servicesID != nil }
            case .authorizations:
                hasWebSignIn
                    || domain.configuration.apps.contains { $0.servicesID != nil || hasProviders }
            case .file(let file): configuration.wellKnownFiles.contains(file)
            }
        if isThere { guards.add(route) }
    }

    // A router applies a middleware to what is added after it. After the last route only the answer to unmatched
    // requests is left.
    router.add(middleware: UnmatchedRequestMiddleware(routes: router.routes, hasPasswords: hasPasswords))
    return router
}

extension ConnectionShares {
    init(_ limits: HTTPLimits) {
        self.init(maximum: limits.maximumConnections, perAddress: limits.maximumConnectionsPerAddress)
    }
}

extension ConnectionCount {
    fileprivate convenience init(_ configuration: AccountHTTPConfiguration, _ proxies: TrustedProxies) {
        let shares = ConnectionShares(configuration.limits)
        self.init(maximum: shares.all, perNetwork: shares.perAddress) { address in
            let trusted = proxies.current
            guard !trusted.isEmpty, let address = IPAddress(address) else { return false }
            return trusted.contains { $0.contains(address) }
        }
    }
}

@available(siwaServer 1.0, *)
extension HTTP1Channel.Configuration {
    fileprivate init(limits: HTTPLimits) {
        self.init(
            idleTimeout: TimeAmount(limits.idleTimeout),
            httpDecoderConfiguration: DecoderConfiguration(
                maxHeaderFieldSize: limits.maximumHeaderFieldBytes,
                maxHeaderListSize: limits.maximumHeaderBytes,
                maxHeaderFieldCount: limits.maximumHeaderCount
            )
        )
    }
}
