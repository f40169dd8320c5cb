public import AppleIDTypes
import HTTPConnections
public import HTTPTypes
public import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
public import NIOSSL
import ServiceLifecycle
import TaskSignals

/// A local stand-in for `appleid.apple.com`, strict where Apple is strict, with Apple's quirks.
///
/// It can serve a socket (``application(host:port:onServerRunning:)``), answer within the process
/// (``respond(to:body:)``), or both. Nothing in it is shared with the library that checks tokens.
///
/// It has everything that Apple has for Sign in with Apple: discovery, keys, authorization, Sign in with Apple JS and
/// its buttons, the token endpoint with its three grants, revocation, migration between teams, notifications, the mail
/// relay, and a person's settings; and beside it faults and control calls.
@available(siwaServer 1.0, *)
public final class Emulator: Sendable {
    let core: EmulatorCore
    let pages: Pages
    let logger: Logger
    /// The responder for requests within the process; nil until the first one comes. Most servers get none.
    private let inProcess = Lock<RouterResponder<EmulatorContext>?>(nil)

    /// Creates an emulator. It reads the state file if there is one, and makes a signing key otherwise, which takes up
    /// to half a second.
    ///
    /// Apple shows several keys. A server makes the others while it already answers requests.
    ///
    /// - Parameter portal: the portal to start with instead of the seeded one. A state file wins over both, and the
    ///   configuration's addresses win over the portal's.
    /// - Throws: ``EmulatorError``.
    public init(
        configuration: EmulatorConfiguration = .init(), portal: Portal? = nil, environment: EmulatorEnvironment = .live,
        logger: Logger
    ) async throws {
        core = try await EmulatorCore(configuration: configuration, portal: portal, environment: environment)
        pages = try Pages.shared.get()
        self.logger = logger
        try await core.saveState()
    }

    /// The teams, apps, keys and people as they are now, as `GET /emulator/portal` shows them.
    public var portal: Portal { core.portal }

    /// The token of control calls, for tests that make them.
    package var controlToken: String? { core.configuration.controlToken }

    /// Changes the base URL. Call it after binding to a port that the system chose.
    ///
    /// - Throws: ``EmulatorError`` with the code `invalid_configuration`, or `unwritable_state`.
    public func move(to baseURL: String) async throws(EmulatorError) {
        try await core.changePortal { $0.baseURL = baseURL }
    }

    /// Registers a return URL for a Services ID. A return URL that is registered already stays as it is.
    ///
    /// - Throws: ``EmulatorError`` with the code `invalid_portal`, or `unwritable_state`.
    public func register(returnURL: String, for service: ClientID) async throws(EmulatorError) {
        try await core.changePortal { (portal) throws(EmulatorError) in
            guard portal.register(returnURL: returnURL, for: service) else {
                throw EmulatorError(.invalidPortal, "there is no Services ID \(service)")
            }
        }
    }

    /// Sets the notification URL of a primary App ID and its group, or removes it with nil.
    ///
    /// - Throws: ``EmulatorError`` with the code `invalid_portal`, or `unwritable_state`.
    public func register(notificationURL: String?, for app: ClientID) async throws(EmulatorError) {
        try await core.register(notificationURL: notificationURL, for: app)
    }

    /// Delivers the notifications that are due by the emulator's clock, and returns when all were answered or had no
    /// answer in time.
    ///
    /// A server delivers by itself while it runs. This method is for tests without a server.
    /// - Throws: an error of the network when the connections are closed.
    public func deliverNotifications() async throws {
        if let send = core.environment.deliver {
            await notificationSender.deliverDue(through: send)
        } else {
            try await HTTPDelivery.run { delivery in await notificationSender.deliverDue(through: delivery.send) }
        }
    }

    var notificationSender: NotificationSender {
        NotificationSender(
            outbox: core.outbox, clock: core.environment,
            deliversOnce: { [core] in core.current.behaviour.triesNotificationsOnce }, logger: logger)
    }

    /// Answers a request within the process, by the routes of the server. The request needs an authority and a path.
    public func respond(to request: HTTPRequest, body: [UInt8]) async -> (HTTPResponse, [UInt8]) {
        let incoming = Request(head: request, body: RequestBody(buffer: ByteBuffer(bytes: body)))
        var response: Response
        let collector = BodyCollector()
        do {
            response = try await responder().respond(to: incoming, context: EmulatorContext(logger: logger))
            try await response.body.write(collector)
        } catch {
            logger.error("A request failed inside the emulator", metadata: ["error.type": "\(type(of: error))"])
            response = Response(status: .internalServerError)
        }
        return (response.head, collector.bytes)
    }

    private func responder() -> RouterResponder<EmulatorContext> {
        inProcess.withLock { responder in
            if let responder { return responder }
            let made = Self.router(core, pages, isExposed: false).buildResponder()
            responder = made
            return made
        }
    }
}

@available(siwaServer 1.0, *)
extension Emulator {
    /// Creates a server for this emulator. Run it in a service group or by itself.
    ///
    /// - Parameters:
    ///   - host: the address to listen on. Beyond loopback the control calls need the configured token.
    ///   - port: the port to listen on; 0 for one that the system chooses.
    ///   - onServerRunning: receives the port once the server accepts connections.
    public func application(
        host: String = "127.0.0.1", port: Int = 4010,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let count = connectionCount
        return application(
            server: Self.plain(count), count: count, host: host, port: port, onServerRunning: onServerRunning)
    }

    /// Creates a server for this emulator with TLS. The configuration's base URL should begin with `https`.
    ///
    /// - Parameters:
    ///   - host: the address to listen on. Beyond loopback the control calls need the configured token.
    ///   - port: the port to listen on; 0 for one that the system chooses.
    ///   - tls: the certificate of the server and its key.
    ///   - onServerRunning: receives the port once the server accepts connections.
    /// - Throws: an error of the TLS library if it can't use the configuration.
    public func application(
        host: String = "127.0.0.1", port: Int = 4010, tls: TLSConfiguration,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) throws -> some ApplicationProtocol {
        let count = connectionCount
        return application(
            server: try .tls(Self.plain(count), tlsConfiguration: tls), count: count, host: host, port: port,
            onServerRunning: onServerRunning)
    }

    /// Whether control calls, settings and inboxes of a server that listens there are closed, because other machines
    /// reach it and no control token is configured.
    package func isControlClosed(listeningOn host: String) -> Bool {
        core.configuration.controlToken == nil && !LocalAccess.isLoopback(listeningOn: host)
    }

    private var connectionCount: ConnectionCount {
        let configuration = core.configuration
        let shares = ConnectionShares(
            maximum: configuration.maximumConnections, perAddress: configuration.maximumConnectionsPerAddress)
        return ConnectionCount(maximum: shares.all, perNetwork: shares.perAddress)
    }

    private static func plain(_ count: ConnectionCount) -> HTTPServerBuilder {
        .guarded(
            HTTP1Channel.Configuration(
                additionalChannelHandlers: [HTTP10Marker.Installer()],
                idleTimeout: .seconds(30),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)),
            count: count, writeTimeout: .seconds(30))
    }

    private func application(
        server: HTTPServerBuilder, count: ConnectionCount, host: String, port: Int,
        onServerRunning: @escaping @Sendable (Int) async -> Void
    ) -> some ApplicationProtocol {
        let isExposed = !LocalAccess.isLoopback(listeningOn: host)
        let keys = SigningKeyService(core: core, logger: logger)
        let application = Application(
            router: Self.router(core, pages, isExposed: isExposed),
            server: server,
            configuration: .init(
                address: .hostname(host, port: port), serverName: "siwa-emulator",
                availableConnectionsDelegate: count.delegate),
            services: [NotificationService(sender: notificationSender, send: core.environment.deliver), keys],
            onServerRunning: { channel in
                await onServerRunning(channel.localAddress?.port ?? port)
                keys.begin()
            },
            logger: logger
        )
        return addingRelay(to: application, host: host)
    }
}

@available(siwaServer 1.0, *)
extension Emulator {
    /// The port of the mail server; nil while there is none. The mail server listens before the emulator does.
    public var mailPort: Int? { core.relayPort.number }

    /// A server that takes mail, too, if the configuration wants it to.
    func addingRelay<Responder>(
        to application: Application<Responder>, host: String
    ) -> Application<Responder> {
        guard let port = core.configuration.mailPort else { return application }
        var application = application
        let relayPort = core.relayPort
        application.addServices(
            RelayService(
                core: core, host: host, port: port, logger: application.logger,
                onListening: { relayPort.set($0) }))
        application.beforeServerStarts { await relayPort.wait() }
        return application
    }
}
