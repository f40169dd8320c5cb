import AccountHTTP
import AccountService
import AppleID
import AsyncHTTPTransport
import CoreMetrics
import HTTPConnections
import Hummingbird
import Logging
import NIOSSL
import OpenIDConnect
import ServiceLifecycle
import UnixSignals

/// Wires the account service: store, Apple, domain and HTTP.
@available(siwaServer 1.0, *)
enum ServeWiring {
    /// Runs until the process is told to stop, and then until what was begun is done.
    /// - Parameter reload: How settings are read again at SIGHUP; nil where SIGHUP ends the server, because the terminal
    ///   has closed.
    static func run(_ settings: ServeSettings, reload: Reload.Source?, logger: Logger) async throws {
        if settings.server != .apple {
            logger.warning(
                "Not Apple: an emulator answers for it. For development only.",
                metadata: ["emulator": "\(settings.server.name)"])
        }
        for warning in settings.warnings { logger.warning("\(warning)") }
        let shares = try ConnectionBounds.prepare(
            maximum: settings.pages.limits.maximumConnections,
            perAddress: settings.pages.limits.maximumConnectionsPerAddress,
            databaseConnections: settings.database.connections, logger: logger)
        var management: [any Service] = []
        if let address = settings.management {
            let board = MetricsBoard()
            // Once in a process, and before anything is made that counts.
            MetricsSystem.bootstrap(board)
            management.append(
                ManagementServer.application(
                    address, board: board, connections: shares.all - shares.besideManagement, logger: logger))
        }
        var bounded = settings
        bounded.pages.bound(by: shares, to: settings.management == nil ? shares.all : shares.besideManagement)
        let supervisor = Supervisor(logger: logger)
        let server = try await server(
            bounded, reload: reload, logger: logger,
            onServerRunning: { port in
                logger.info(
                    "The account service is running.",
                    metadata: ["url": "\(settings.account.publicURL)", "port": "\(port)"])
                supervisor?.tell(.ready)
            })
        // A shutdown begins with the last service: systemd hears of it before anything ends.
        let last: [any Service] = supervisor.map { [$0] } ?? []
        try await ServiceGroup(
            services: management + [server] + last,
            gracefulShutdownSignals: reload == nil ? Hangup.endingSignals : [.sigterm, .sigint], logger: logger
        ).run()
    }

    /// The account service with all that it needs. When this fails, nothing is left open.
    static func server(
        _ settings: ServeSettings, tls: TLSConfiguration? = nil, reload: Reload.Source? = nil, logger: Logger,
        onServerRunning: @escaping @Sendable (Int) async -> Void
    ) async throws -> AccountServer {
        let store = try await settings.database.open(logger: logger)
        let transport = AsyncHTTPTransport()
        do {
            return try await server(
                settings, store: store, transport: transport, tls: tls, reload: reload, logger: logger,
                onServerRunning: onServerRunning)
        } catch {
            try await transport.shutdown()
            try await store.close()
            throw error
        }
    }

    private static func server(
        _ settings: ServeSettings, store: AccountTransactions, transport: AsyncHTTPTransport, tls: TLSConfiguration?,
        reload: Reload.Source?, logger: Logger, onServerRunning: @escaping @Sendable (Int) async -> Void
    ) async throws -> AccountServer {
        let apple = AppleIDClient(
            server: settings.server, clients: settings.clients, transport: transport,
            keySetArchive: KeySetArchive(store: store), logger: logger)
        let webhook = settings.webhook.map { $0.hook(over: transport) }
        let mailSender = settings.mail.map { ReplaceableMailSender($0.sender) }
        let domain = try await AccountDomain(
            configuration: settings.account, apple: apple,
            providers: settings.providers.map { ProviderClient($0, transport: transport, logger: logger) },
            store: store,
            hooks: webhook.map { [$0] } ?? [],
            mail: mailSender.map { MailSettings(sender: $0, serviceName: settings.pages.appName) }, logger: logger)
        if let warning = try await domain.warningOfPasswords() { logger.warning("\(warning)") }
        let proxies = TrustedProxies(settings.pages.trustedProxies)
        let reloading = reload.map { source in
            let parts = Reload.Parts(
                apple: apple, domain: domain, webhook: webhook, mailSender: mailSender, proxies: proxies,
                database: settings.database, files: settings.pages.wellKnownFiles)
            return Reload(source, parts: parts, logger: logger)
        }
        let application = try buildApplication(
            domain: domain, configuration: settings.pages, host: settings.host, port: settings.port, tls: tls,
            proxies: proxies, onServerRunning: onServerRunning, logger: logger)
        return AccountServer(
            domain: domain, application: application, after: [transport], beside: reloading.map { [$0] } ?? [],
            logger: logger)
    }
}

extension AccountHTTPConfiguration {
    /// - Parameter count: How many connections are the public address's own.
    mutating func bound(by shares: ConnectionShares, to count: Int) {
        limits.maximumConnections = count
        limits.maximumConnectionsPerAddress = min(shares.perAddress, count)
        eventStreams.maximumStreams = min(shares.streams, count)
    }
}
