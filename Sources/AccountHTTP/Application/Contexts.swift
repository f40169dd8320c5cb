import AccountAPI
import AccountService
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import TaskSignals

/// The context of any request. Middlewares add the session, if the route reads one.
struct ServiceContext: PeerContext {
    var coreContext: CoreRequestContextStorage
    /// The request's name for the client and for the log.
    let requestID: String
    let peer: SocketAddress?
    /// The session of a valid access token. ``AccessTokenMiddleware`` sets it.
    var tokenSession: StoredSession?
    /// The session of a valid token, live or ended by Apple. ``AccessTokenMiddleware`` sets it before the two calls that
    /// such a session may make.
    var sessionOrEnded: StoredSession?
    /// The session of a valid cookie. ``SessionCookieMiddleware`` sets it.
    var browserSession: StoredSession?
    /// Whether the request came with a session cookie that names no session. ``SessionCookieMiddleware`` sets it.
    var hasUnknownSessionCookie = false
    /// The error for a cookie's session whose account was merged into another one; nil for any other cookie, and for
    /// none. ``SessionCookieMiddleware`` sets it.
    var mergedBrowserSession: AccountError?

    init(source: ApplicationRequestContextSource) {
        self.init(logger: source.logger, peer: source.channel.remoteAddress)
    }

    /// - Parameter peer: The address of the client or of a proxy. Nil for a request within the process.
    init(logger: Logger, peer: SocketAddress?) {
        requestID = RequestName.next()
        // Hummingbird's own name for the request counts up, so an answer would tell how many requests there were.
        var logger = logger
        logger[metadataKey: "hb.request.id"] = "\(requestID)"
        coreContext = CoreRequestContextStorage(source: LoggerSource(logger: logger))
        self.peer = peer
    }
}

/// The source of a context's parts. All that they take from it is the logger.
private struct LoggerSource: RequestContextSource {
    let logger: Logger
}

/// The context of a call by a live session. It cannot exist without one.
struct SessionContext: ChildRequestContext, PeerContext {
    var coreContext: CoreRequestContextStorage
    let peer: SocketAddress?
    let session: StoredSession

    init(context: ServiceContext) throws {
        guard let session = context.tokenSession else { throw HTTPFailure.accessTokenMissing }
        self.session = session
        coreContext = context.coreContext
        peer = context.peer
    }
}

/// The context of a call by a live session, or by one that Apple ended. It cannot exist without one.
struct EndedSessionContext: ChildRequestContext {
    var coreContext: CoreRequestContextStorage
    let session: StoredSession

    init(context: ServiceContext) throws {
        guard let session = context.sessionOrEnded else { throw HTTPFailure.accessTokenMissing }
        self.session = session
        coreContext = context.coreContext
    }
}

/// The context of a request by a browser that is signed in. It cannot exist without a session.
struct BrowserContext: ChildRequestContext, PeerContext {
    var coreContext: CoreRequestContextStorage
    let peer: SocketAddress?
    let session: StoredSession

    init(context: ServiceContext) throws {
        guard let session = context.browserSession else {
            if let error = context.mergedBrowserSession { throw HTTPFailure.merged(error) }
            throw SignInNeeded(forgetsCookie: context.hasUnknownSessionCookie)
        }
        self.session = session
        coreContext = context.coreContext
        peer = context.peer
    }
}

/// A context that knows who is at the other end of the connection.
protocol PeerContext: RequestContext {
    /// The address of the client or of a proxy. Nil for a request within the process.
    var peer: SocketAddress? { get }
}

extension HTTPFailure {
    fileprivate static var accessTokenMissing: Self {
        Self(.accessTokenMissing, "This call needs `Authorization: Bearer` with an access token.")
    }

    /// The failure of a browser whose account was merged. The browser forgets its session with it, so the next page is
    /// the start page.
    fileprivate static func merged(_ error: AccountError) -> Self {
        Self(of: error).adding(HTTPField(name: .setCookie, value: CookieName.session.clearing))
    }
}

/// Makes the names by which clients and the log know requests: 32 hexadecimal digits, different for each request.
///
/// A name is the hash of the request's number and of a key that the process makes at its start. So names look random,
/// and tell neither the order of requests nor how many there were; and making one needs no call to the system.
enum RequestName {
    private static let key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    private static let count = Lock<UInt64>(0)
    private static let digits = Array("0123456789abcdef".utf8)

    static func next() -> String {
        let number = count.withLock { count in
            count &+= 1
            return count
        }
        var input = key
        for shift in stride(from: 0, to: UInt64.bitWidth, by: 8) {
            input.append(UInt8(truncatingIfNeeded: number >> shift))
        }
        var name: [UInt8] = []
        name.reserveCapacity(32)
        for byte in SHA256.hash(data: input).prefix(16) {
            name.append(digits[Int(byte >> 4)])
            name.append(digits[Int(byte & 15)])
        }
        return String(decoding: name, as: UTF8.self)
    }
}

/// The rest of the way to the route, as a middleware gets it.
typealias Next = @concurrent (Request, ServiceContext) async throws -> Response
