public import AccountService
import AppleID
import CoreMetrics
import HTTPConnections
public import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
public import NIOSSL

/// The account service's HTTP server: the same application for the executable and for tests.
///
/// It is a `Service`. In a service group it comes after everything that it needs: the transport to Apple, the store,
/// the domain's sweeper and ``AccountDomain/finishing``. A group ends its services in reverse order, so that no new
/// request comes in while sign-ins under way are finished.
/// - Parameters:
///   - host: Loopback unless told otherwise.
///   - port: 0 lets the system choose.
///   - onServerRunning: Told the port once connections are accepted.
///   - tls: nil when a proxy does it, or on this machine alone.
///   - proxies: The trusted proxies, for a server that changes them while it runs; nil for those of the configuration.
/// - Throws: When a page template is wrong, which a test rules out, or when `tls` cannot be used.
public func buildApplication(
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

/// All routes; a test holds them to Docs/openapi.yaml.
func makeRouter(
    domain: AccountDomain, configuration: AccountHTTPConfiguration, proxies: TrustedProxies? = nil
) throws -> Router<ServiceContext> {
    let publicURL = domain.configuration.publicURL
    // A service for apps alone has no Services ID to ask Apple with, and so none of the pages that lead to Apple.
    let hasWebSignIn = domain.configuration.webClient != nil
    let hasAuthorizations = domain.configuration.apps.contains { $0.servicesID != nil }
    let pages = try PageRenderer(
        configuration: configuration, publicURL: publicURL, apps: domain.configuration.apps,
        hasWebSignIn: hasWebSignIn)
    let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
    let metrics = domain.instrumentation.metrics
    // Nothing is counted that nobody can read.
    if !(metrics is NOOPMetricsHandler) { router.add(middleware: RequestMetricsMiddleware(factory: metrics)) }
    router.add(middleware: ResponseHeadersMiddleware(publicURL: publicURL))
    router.add(middleware: ErrorMiddleware(pages: pages))
    router.add(middleware: RequestLimitsMiddleware(limits: configuration.limits))

    let clients = ClientAddress(proxies: proxies ?? TrustedProxies(configuration.trustedProxies))
    let budgets = AddressBudgets(perMinute: configuration.requestBudget) { [environment = domain.environment] in
        Timestamp(environment.now())
    }
    let tokens = TokenBudget(budgets: budgets, clients: clients)
    let cookies = CookieBudget(budgets: budgets, clients: clients)

    // These two bring a credential of their own, whatever stands in an `Authorization` header.
    let open = router.group("v1")
    let api = router.group("v1").add(middleware: AccessTokenMiddleware(sessions: domain.sessions, budget: tokens))
    let site = router.group()
        .add(middleware: SameOriginMiddleware(origin: publicURL.origin))
        .add(middleware: SessionCookieMiddleware(sessions: domain.sessions, budget: cookies))
    let body = JSONBody(limits: configuration.limits)

    func budget(_ kind: BudgetKind) -> BudgetMiddleware {
        BudgetMiddleware(kind: kind, budgets: budgets, clients: clients)
    }
    func refusals(_ kind: BudgetKind) -> RefusalBudgetMiddleware {
        RefusalBudgetMiddleware(kind: kind, budgets: budgets, clients: clients)
    }
    let signIn = SignInController(
        signIn: domain.signIn, pages: pages, limits: configuration.limits, clients: clients)
    signIn.addPages(to: site)
    if hasWebSignIn {
        let beginning = site.group().add(middleware: budget(.beginning))
        signIn.addBeginning(to: beginning)
        if configuration.signInScript != nil { signIn.addScriptRoutes(to: beginning) }
    }
    if hasWebSignIn || hasAuthorizations {
        signIn.addCallback(to: router.group().add(middleware: budget(.callback)))
    }
    addAuthorizations(
        domain, configuration, pages, body: body, clients: clients,
        to: open.group().add(middleware: budget(.authorization)),
        redeeming: open.group().add(middleware: budget(.redemption)),
        site: hasWebSignIn || hasAuthorizations
            ? router.group().add(middleware: SameOriginMiddleware(origin: publicURL.origin))
                .add(middleware: budget(.authorization)) : nil)
    NativeSignInController(signIn: domain.signIn, body: body, clients: clients)
        .addRoutes(to: open.group().add(middleware: budget(.signIn)))
    ChallengeController(challenges: domain.challenges, body: body)
        .addRoutes(to: api.group().add(middleware: budget(.challenge)))
    let reauthentication = ReauthenticationController(
        signIn: domain.signIn, body: body, clients: clients, limits: configuration.limits)
    reauthentication.addRoutes(to: api)
    if hasWebSignIn { reauthentication.addPages(to: site) }
    let deletions = DeletionController(
        deletions: domain.deletions, signIn: domain.signIn, pages: pages, body: body, clients: clients,
        policy: .formsLead(toAppleOf: configuration))
    deletions.addRoutes(to: api)
    if hasWebSignIn { deletions.addPages(to: site) }
    deletions.addAnswer(to: open.group().add(middleware: refusals(.refusedHandle)))
    deletions.addAnswerPage(to: site.group().add(middleware: refusals(.refusedHandle)))
    let exports = ExportController(
        exports: domain.exports, environment: domain.environment, pages: pages,
        policy: .formsLead(toAppleOf: configuration))
    exports.addRoutes(to: api)
    if hasWebSignIn { exports.addPages(to: site) }
    RevocationController(
        revocations: domain.revocations, body: body, clients: clients, appName: pages.appName
    ).addRoutes(to: api)
    let sessions = SessionController(sessions: domain.sessions, body: body, clients: clients)
    sessions.addRefresh(
        to: open.group().add(middleware: refusals(.refusedRefresh)))
    sessions.addRoutes(to: api)
    sessions.addPages(to: site)
    let sessionList = SessionListController(sessions: domain.sessions, pages: pages, clients: clients)
    sessionList.addRoutes(to: api)
    sessionList.addPages(to: site)
    let accounts = AccountController(pages: pages)
    accounts.addRoutes(to: api)
    accounts.addPages(to: site)
    NotificationController(notifications: domain.notifications, limits: configuration.limits).addRoutes(
        to: router.group().add(middleware: refusals(.refusedNotification)))
    let news = router.group("v1").add(middleware: EvenEndedSessionMiddleware(sessions: domain.sessions, budget: tokens))
    CredentialStateController(states: domain.credentialStates).addRoutes(to: news)
    EventController(events: domain.events, limits: configuration.eventStreams, places: EventStreamPlaces(configuration))
        .addRoutes(to: news)
    KeySetController(keys: domain.serverKeys).addRoutes(to: router)
    HealthController(store: domain.store, apple: configuration.emulatorURL ?? "apple").addRoutes(to: router)
    AssetController(assets: pages.assets).addRoutes(to: router)

    // A router applies a middleware to what is added after it. After the last route only the answer to unmatched
    // requests is left.
    router.add(middleware: UnmatchedRequestMiddleware(routes: router.routes))
    return router
}

/// - Parameter site: Without the session cookie: an app's authorization is nothing to a browser's own session. Nil for
///   a service that can't ask Apple in a browser: it has no pages for that.
private func addAuthorizations<Site: RouterMethods<ServiceContext>>(
    _ domain: AccountDomain, _ configuration: AccountHTTPConfiguration, _ pages: PageRenderer, body: JSONBody,
    clients: ClientAddress, to open: some RouterMethods<ServiceContext>, redeeming: some RouterMethods<ServiceContext>,
    site: Site?
) {
    let policy = ContentSecurityPolicy.formsLead(toAppleOf: configuration)
    let authorizations = AuthorizationController(
        authorizations: domain.authorizations, body: body, pages: pages, clients: clients, policy: policy)
    authorizations.addRoutes(to: open)
    authorizations.addRedemption(to: redeeming)
    guard let site else { return }
    authorizations.addPages(to: site)
    DeviceController(
        authorizations: domain.authorizations, pages: pages, clients: clients, limits: configuration.limits,
        policy: policy, now: { [environment = domain.environment] in Timestamp(environment.now()) }
    ).addPages(to: site)
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
