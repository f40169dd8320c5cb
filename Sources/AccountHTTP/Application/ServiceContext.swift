import AccountService
import Hummingbird
import Logging
import NIOCore

/// What is known of any request.
struct ServiceContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// By which the client and the log know the request.
    let requestID: String
    /// Who is at the other end of the connection: the client or a proxy.
    let peer: SocketAddress?
    /// The session of a good access token; set under `/v1` alone.
    var tokenSession: StoredSession?
    /// The session of a good token, live or ended by Apple's word; set before the two calls that both may make.
    var evenEndedSession: StoredSession?
    /// The session of a good cookie; set on pages alone.
    var browserSession: StoredSession?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        // Hummingbird's own, which is in its log lines too; a logger that drops metadata does not have it.
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? RequestID().description
        peer = source.channel.remoteAddress
    }
}

/// The rest of the way to the route, as a middleware gets it.
typealias Next = @concurrent (Request, ServiceContext) async throws -> Response
