public import AccountService
public import Logging
public import NIOSSL
public import ServiceLifecycle

/// The account service as one value: the domain with all that it does in the background, and the HTTP server before it.
///
/// The server is a `Service`. Run it in a service group, or as one of the services of a Hummingbird application:
///
/// ```swift
/// let transport = AsyncHTTPTransport()
/// let domain = try await AccountDomain.open(
///     configuration: configuration, apple: apple, storage: .sqlite("/data/people.sqlite"), logger: logger)
/// let server = try AccountServer(domain: domain, after: [transport], logger: logger)
/// try await ServiceGroup(
///     services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
/// ).run()
/// ```
///
/// A graceful shutdown first stops the HTTP server. The domain then finishes the sign-ins under way and closes the
/// database. The services that came before end last.
@available(siwaServer 1.0, *)
public struct AccountServer: Service, CustomStringConvertible {
    /// The domain that the server calls. Your own routes can call it too.
    public let domain: AccountDomain

    private let services: [any Service]
    private let logger: Logger

    /// Makes a server.
    /// - Parameters:
    ///   - host: The address to listen on; loopback by default.
    ///   - port: The port to listen on; 0 lets the system choose.
    ///   - tls: The server's certificate. Nil if a proxy does TLS, or if only this machine reaches the server.
    ///   - needed: The services that the domain needs, such as the transport to Apple. They start first and end last.
    ///   - onServerRunning: Called with the port once the server accepts connections.
    /// - Throws: An error if `tls` can't be used, or if a page can't be made.
    public init(
        domain: AccountDomain, configuration: AccountHTTPConfiguration = AccountHTTPConfiguration(),
        host: String = "127.0.0.1", port: Int = 4_000, tls: TLSConfiguration? = nil, after needed: [any Service] = [],
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }, logger: Logger
    ) throws {
        let application = try buildApplication(
            domain: domain, configuration: configuration.naming(emulatorOf: domain), host: host, port: port, tls: tls,
            onServerRunning: onServerRunning, logger: logger)
        self.init(domain: domain, application: application, after: needed, logger: logger)
    }

    /// Makes a server from an application that serves the domain.
    /// - Parameters:
    ///   - application: Made by `buildApplication` for the same domain.
    ///   - others: The services that start after the domain, and end before it.
    package init(
        domain: AccountDomain, application: any Service, after needed: [any Service],
        beside others: [any Service] = [], logger: Logger
    ) {
        var services = needed
        services.append(domain)
        services += others
        services.append(application)
        self.domain = domain
        self.services = services
        self.logger = logger
    }

    /// `AccountServer`, so that a service group's log doesn't have all that the server holds.
    public var description: String { "AccountServer" }

    /// Serves until the service group stops it, and then until everything that was begun is done.
    public func run() async throws {
        try await ServiceGroup(services: services, logger: logger).run()
    }
}

extension AccountHTTPConfiguration {
    /// Returns the settings with the emulator that the domain asks, if they name none. Without it, pages would say that they
    /// lead to Apple, and browsers would stop the forms that lead to the emulator.
    func naming(emulatorOf domain: AccountDomain) -> Self {
        var configuration = self
        configuration.emulatorURL = emulatorURL ?? domain.emulatorURL
        return configuration
    }
}
