import Hummingbird
import NIOCore

/// A request of which is known who is at the other end of the connection.
protocol PeerContext: RequestContext {
    /// The client or a proxy.
    var peer: SocketAddress? { get }
}

extension ServiceContext: PeerContext {}
extension TokenContext: PeerContext {}
extension BrowserContext: PeerContext {}
