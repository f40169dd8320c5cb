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
}
