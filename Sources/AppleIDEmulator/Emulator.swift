public import AppleIDTypes
public import HTTPTypes
import Hummingbird
public import Logging
import NIOCore

/// A local stand-in for `appleid.apple.com`, strict where Apple is strict, with Apple's quirks.
///
/// It can serve a socket (``application(host:port:onServerRunning:)``), answer within the process
/// (``respond(to:body:)``), or both. Nothing in it is shared with the library that checks tokens.
///
/// It has all that Apple has for it: discovery, keys, authorization, Sign in with Apple JS and its buttons, the token
/// endpoint with its three grants, revocation, migration between teams, notifications, the mail relay, and a person's
/// settings; and beside it faults and control calls.
public final class Emulator: Sendable {
    let authority: Authority
    let pages: Pages
    let logger: Logger
    private let inProcess: RouterResponder<EmulatorContext>

    /// Reads the state file if one is configured and there, and makes a signing key if there is none: up to half a
    /// second. Apple shows several; a server makes the others while it answers already.
    ///
    /// - Parameter portal: what to start with instead of the seeded portal. A state file that is there wins over both,
    ///   and the configuration's addresses win over the portal's.
    /// - Throws: ``EmulatorError``.
    public init(
        configuration: EmulatorConfiguration = .init(), portal: Portal? = nil, environment: EmulatorEnvironment = .live,
        logger: Logger
    ) async throws {
        authority = try await Authority(configuration: configuration, portal: portal, environment: environment)
        pages = try Pages()
        self.logger = logger
        inProcess = Self.router(authority, pages, isExposed: false).buildResponder()
        try await authority.keep()
    }

    /// Teams, apps, keys and people as they are now; what `GET /emulator/portal` shows.
    public var portal: Portal { authority.portal }

    /// What the control calls want, for tests that make them.
    package var controlToken: String? { authority.configuration.controlToken }

    /// Tells the emulator where it is reached, once that is known: after binding to a port that the system chose.
    ///
    /// - Throws: ``EmulatorError`` with the code `invalid_configuration`, or `unwritable_state`.
    public func move(to baseURL: String) async throws(EmulatorError) {
        try await authority.changePortal { $0.baseURL = baseURL }
    }

    /// Registers one more return URL for a Services ID; one that is there already stays as it is.
    ///
    /// - Throws: ``EmulatorError`` with the code `invalid_portal`, or `unwritable_state`.
    public func register(returnURL: String, for service: ClientID) async throws(EmulatorError) {
        try await authority.changePortal { (portal) throws(EmulatorError) in
            guard portal.register(returnURL: returnURL, for: service) else {
                throw EmulatorError(.invalidPortal, "there is no Services ID \(service)")
            }
        }
    }

    /// Sets, or with nil removes, where the notifications for a primary App ID and its group go.
    ///
    /// - Throws: ``EmulatorError`` with the code `invalid_portal`, or `unwritable_state`.
    public func register(notificationURL: String?, for app: ClientID) async throws(EmulatorError) {
        try await authority.register(notificationURL: notificationURL, for: app)
    }

    /// Delivers the notifications that are due by the emulator's clock, and returns when each was answered or was not.
    ///
    /// A server does this by itself while it runs; this is for tests without one.
    /// - Throws: what goes wrong when connections are closed.
    public func deliverNotifications() async throws {
        if let send = authority.environment.deliver {
            await post.deliverDue(through: send)
        } else {
            try await HTTPDelivery.run { delivery in await post.deliverDue(through: delivery.send) }
        }
    }

    var post: NotificationPost {
        NotificationPost(
            outbox: authority.outbox, clock: authority.environment,
            deliversOnce: { [authority] in authority.current.quirks.contains(.notificationOnce) }, logger: logger)
    }

    /// Answers a request without a socket, by the same routes. The request needs an authority and a path.
    public func respond(to request: HTTPRequest, body: [UInt8]) async -> (HTTPResponse, [UInt8]) {
        let incoming = Request(head: request, body: RequestBody(buffer: ByteBuffer(bytes: body)))
        var response: Response
        let collector = BodyCollector()
        do {
            response = try await inProcess.respond(to: incoming, context: EmulatorContext(logger: logger))
            try await response.body.write(collector)
        } catch {
            logger.error("A request failed inside the emulator", metadata: ["error.type": "\(type(of: error))"])
            response = Response(status: .internalServerError)
        }
        return (response.head, collector.bytes)
    }

    static func router(_ authority: Authority, _ pages: Pages, isExposed: Bool) -> Router<EmulatorContext> {
        let router = Router(context: EmulatorContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestLogMiddleware(authority: authority))
        router.add(middleware: RefusalMiddleware(authority: authority, pages: pages))
        router.add(middleware: FaultMiddleware(authority: authority))
        let open = Endpoints(routes: router)
        let authorization = AuthorizationController(authority: authority, pages: pages)
        open.add("/", get: IndexController(authority: authority, pages: pages).index)
        open.add("/assets/emulator.css", get: Assets.stylesheet)
        open.add("/assets/delivery.js", get: Assets.deliveryScript)
        open.add("/assets/icon.svg", get: Assets.icon)
        let discovery = DiscoveryController(authority: authority)
        open.add("/.well-known/openid-configuration", get: discovery.configuration)
        open.add("/account.apple.com/.well-known/openid-configuration", get: discovery.otherConfiguration)
        open.add("/emulator-root.pem", get: RootCertificateController(authority: authority).root)
        open.add("/auth/keys", get: KeysController(authority: authority).keys)
        open.add("/auth/authorize", get: authorization.authorize)
        open.add("/auth/authorize/sheet", get: authorization.sheet)
        open.add("/auth/authorize/decision", post: authorization.decide)
        addSignInRoutes(to: open, authority, pages)
        addSettingsRoutes(to: router, authority, pages, isExposed: isExposed)
        addScriptRoutes(to: open, authority)
        open.add("/auth/token", post: TokenController(authority: authority).token)
        open.add("/auth/revoke", post: RevocationController(authority: authority).revoke)
        open.add("/auth/usermigrationinfo", post: MigrationController(authority: authority).migrate)

        // The guard hangs on the group, not on a comparison of paths, so no spelling of a path leads around it.
        let group = router.group("/emulator").add(
            middleware: ControlGuard(authority: authority, isExposed: isExposed))
        let control = Endpoints(routes: group)
        control.add("/openapi.json", get: DescriptionController().description)
        addPortalRoutes(to: control, authority)
        control.add("/authorizations", post: AuthorizationsController(authority: authority).authorize)
        let grants = GrantsController(authority: authority)
        control.add("/grants", get: grants.grants)
        control.add("/grants/stop-using", post: grants.stopUsing)
        control.add("/grants/forwarding", post: grants.forwarding)
        let transfers = TransfersController(authority: authority)
        control.add("/transfers", get: transfers.transfers, post: transfers.transfer)
        let people = PeopleController(authority: authority)
        control.add("/people/change-password", post: people.changePassword)
        control.add("/people/delete", post: people.delete)
        let quirks = QuirksController(authority: authority)
        control.add("/quirks", get: quirks.quirks, post: quirks.change)
        let keys = SigningKeysController(authority: authority)
        control.add("/keys", get: keys.list)
        control.add("/keys/rotate", post: keys.rotate)
        control.add("/keys/retire", post: keys.retire)
        let clock = ClockController(authority: authority)
        control.add("/clock", get: clock.show, post: clock.set)
        control.add("/reset", post: ResetController(authority: authority).reset)
        let notifications = NotificationsController(authority: authority)
        control.add("/notifications", get: notifications.list, post: notifications.send)
        control.add("/notifications/address", post: notifications.register)
        control.add("/notifications/hold", post: notifications.hold)
        control.add("/notifications/release", post: notifications.release)
        control.add("/notifications/:id/replay", post: notifications.replay)
        addDeviceRoutes(to: control, authority)
        addFaultRoutes(to: control, authority)
        addSnapshotRoutes(to: control, authority)
        addRequestRoutes(to: control, authority, pages)
        addEmailSourceRoutes(to: control, authority)
        addWebDomainRoutes(to: control, authority)
        addMailRoutes(to: control, authority)
        addInboxRoutes(to: router, authority, pages, isExposed: isExposed)
        return router
    }
}
