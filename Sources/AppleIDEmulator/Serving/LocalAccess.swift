import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

/// The rule for control calls, settings and inboxes where no control token is configured: only the machine that runs
/// the emulator gets in.
///
/// A loopback peer alone proves nothing, because a proxy on this machine is one too. nginx even writes a loopback
/// `Host` unless told otherwise, and many versions of it give themselves away by their HTTP/1.0 alone
/// (``HTTP10Marker``).
struct LocalAccess: Sendable {
    /// Whether the server listens where other machines reach it.
    let isExposed: Bool

    /// The reason why the request is refused; nil if it is allowed.
    func objection(to request: Request, from peer: EmulatorContext.Peer) -> String? {
        if isExposed { return "The emulator listens beyond loopback and has no control token." }
        guard peer.isLocal else {
            return "The request comes from another machine, and the emulator has no control token."
        }
        if let name = Self.forwardingHeader(of: request) {
            return "A proxy forwarded the request (it has the header \(name)), and the emulator has no control token."
        }
        guard request.isAddressedToLoopback else {
            return "The request's Host is not a loopback address, and the emulator has no control token."
        }
        return nil
    }

    private static func forwardingHeader(of request: Request) -> String? {
        let names: Set<String> = [
            "forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip",
        ]
        return request.headers.lazy.map(\.name.canonicalName).first {
            names.contains($0) || $0.hasPrefix("x-forwarded-")
        }
    }

    /// Whether a server that listens there is reached from this machine alone.
    static func isLoopback(listeningOn host: String) -> Bool {
        if host.lowercased() == "localhost" { return true }
        do {
            return try SocketAddress(ipAddress: host, port: 0).isLoopback
        } catch {
            // The host is a name, whose address isn't known.
            return false
        }
    }
}

extension EmulatorContext.Peer {
    /// Whether nobody but this machine can be on the other end.
    var isLocal: Bool {
        switch self {
        case .inProcess: true
        // A socket has an address. A channel without one is a test's, or its peer has hung up already; the latter came
        // through a listener, and one that others reach is closed without a token anyway.
        case .connection(let address): address?.isLoopback ?? true
        }
    }
}

extension SocketAddress {
    fileprivate var isLoopback: Bool {
        switch self {
        case .unixDomainSocket: true
        case .v4: ipAddress?.hasPrefix("127.") == true
        case .v6: ipAddress == "::1" || ipAddress?.lowercased().hasPrefix("::ffff:127.") == true
        }
    }
}

/// Marks requests in HTTP/1.0 as forwarded. nginx before 1.29.7 sends them to its upstream unless told otherwise,
/// without any header that tells of it. Browsers and the usual clients speak HTTP/1.1.
final class HTTP10Marker: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = Self.unwrapInboundIn(data), head.version == .http1_0 else {
            return context.fireChannelRead(data)
        }
        head.headers.add(name: "via", value: "1.0 unknown")
        context.fireChannelRead(Self.wrapInboundOut(.head(head)))
    }

    /// Puts the mark right behind the decoder: further on, a request no longer tells its version.
    final class Installer: ChannelInboundHandler, RemovableChannelHandler {
        // The handler reads nothing, but NIO accepts no handler without a direction.
        typealias InboundIn = NIOAny

        func handlerAdded(context: ChannelHandlerContext) {
            let pipeline = context.pipeline.syncOperations
            do {
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                try pipeline.addHandler(HTTP10Marker(), position: .after(decoder))
            } catch {
                context.fireErrorCaught(error)
            }
        }
    }
}
