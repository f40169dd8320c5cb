import Hummingbird
import Logging
import NIOCore

/// The context of a request. It can be made without a socket, for requests from within the process.
struct EmulatorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let peer: Peer

    /// The sender of a request.
    enum Peer: Sendable {
        case inProcess
        /// The other end of a connection; nil when it isn't known.
        case connection(SocketAddress?)
    }

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = .connection(source.channel.remoteAddress)
    }

    init(logger: Logger) {
        coreContext = .init(source: InProcessSource(logger: logger))
        peer = .inProcess
    }

    private struct InProcessSource: RequestContextSource {
        let logger: Logger
    }
}
