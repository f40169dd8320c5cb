package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1

/// A server's connection of HTTP/1. One client can't use it to keep the server from serving others.
///
/// It adds four things to Hummingbird's: a bound on connections by address, one request at a time, the framing rules of
/// RFC 9112, and an end to connections whose client does not read.
@available(siwaServer 1.0, *)
package struct GuardedChannel: ServerChildChannel {
    let base: HTTP1Channel
    let count: ConnectionCount
    let writeTimeout: TimeAmount

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        switch count.admit(channel.remoteAddress) {
        case .refused(let untold):
            if let untold {
                logger.warning("An address has too many connections.", metadata: ["refused": "\(untold)"])
            }
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(TooManyConnections())
        case .admitted(let network?):
            channel.closeFuture.whenComplete { _ in count.leave(network) }
        case .admitted(nil): break
        }
        return channel.eventLoop.makeCompletedFuture {
            try Self.bound(channel)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(WriteStallHandler(limit: writeTimeout), position: .first)
            let gate = RequestGate()
            try pipeline.addHandler(gate)
            return NIOLoopBound(gate, eventLoop: channel.eventLoop)
        }.flatMap { gate in
            base.setup(channel: channel, logger: logger).flatMapThrowing { value in
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                try pipeline.addHandler(RequestSequence(gate: gate.value), position: .after(decoder))
                return value
            }
        }
    }

    package func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }

    /// Limits the memory that one connection can use in the server and in the system.
    private static func bound(_ channel: any Channel) throws {
        guard let options = channel.syncOptions else { return }
        try options.setOption(.maxMessagesPerRead, value: 1)
        try options.setOption(
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 2_048, maximum: 16_384))
        try options.setOption(.writeBufferWaterMark, value: .init(low: 8_192, high: 32_768))
        #if os(Linux)
            // Otherwise the kernel takes megabytes for a client that reads nothing, and all the requests behind them.
            try options.setOption(
                ChannelOptions.Types.SocketOption(level: .tcp, name: .tcp_notsent_lowat), value: 32_768)
        #endif
    }

    private struct TooManyConnections: Error {}
}

@available(siwaServer 1.0, *)
extension HTTPServerBuilder {
    /// Builds a server of HTTP/1 whose connections are guarded.
    ///
    /// The server's configuration needs ``ConnectionCount/delegate`` too, which bounds the connections in all.
    /// - Parameter writeTimeout: the maximum time in which a client reads nothing of its response.
    package static func guarded(
        _ configuration: HTTP1Channel.Configuration, count: ConnectionCount, writeTimeout: Duration
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            GuardedChannel(
                base: HTTP1Channel(responder: responder, configuration: configuration), count: count,
                writeTimeout: TimeAmount(writeTimeout))
        }
    }
}

#if os(Linux)
    extension NIOBSDSocket.Option {
        /// `TCP_NOTSENT_LOWAT` of Linux: how much the kernel takes beyond what the client has room for.
        fileprivate static let tcp_notsent_lowat = Self(rawValue: 25)
    }
#endif
