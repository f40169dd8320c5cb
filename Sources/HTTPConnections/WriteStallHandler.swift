import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// Ends a connection whose client doesn't read the bytes that are written to it.
///
/// It stands nearest to the socket, before TLS. The idle timeout of HTTP guards reading alone: without this, a client
/// that never reads its answers keeps them in memory for ever. A client that reads slowly keeps its connection, and
/// gets the end of its answer before a timeout or a shutdown closes it.
final class WriteStallHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let limit: TimeAmount
    /// The next check of the client's progress. There is one timer for all writes.
    private var check: Scheduled<Void>?
    private var isClosing = false
    private var written = 0
    private var taken = 0
    private var progressedAt = NIODeadline.uptimeNanoseconds(0)

    /// - Parameter limit: the time after which the connection ends if its client has read nothing. The end may come up to
    ///   a third later.
    init(limit: TimeAmount) { self.limit = limit }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written += unwrapOutboundIn(data).readableBytes
        if check == nil {
            progressedAt = context.eventLoop.now
            scheduleCheck(context)
        }
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all, left(context) > 0 else {
            context.close(mode: mode, promise: promise)
            return
        }
        guard !isClosing else {
            context.channel.closeFuture.cascade(to: promise)
            return
        }
        isClosing = true
        // Done when everything before it has been taken, or when the connection has ended.
        let isTaken = context.eventLoop.makePromise(of: Void.self)
        isTaken.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: .all, promise: promise) }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: isTaken)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        check?.cancel()
        check = nil
    }

    private func scheduleCheck(_ context: ChannelHandlerContext) {
        check = context.eventLoop.assumeIsolated().scheduleTask(in: limit / 3) { self.checkProgress(context) }
    }

    private func checkProgress(_ context: ChannelHandlerContext) {
        check = nil
        let left = left(context)
        // The next write schedules another check.
        guard left > 0 else { return }
        if written - left > taken {
            taken = written - left
            progressedAt = context.eventLoop.now
        } else if context.eventLoop.now - progressedAt >= limit {
            end(context)
            return
        }
        scheduleCheck(context)
    }

    private func left(_ context: ChannelHandlerContext) -> Int {
        // A channel that has been closed has no such option, and nothing left.
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Resets the connection. Otherwise the kernel would keep the unread bytes and wait for the client.
    private func end(_ context: ChannelHandlerContext) {
        (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenFailure { _ in
        }
        context.close(mode: .all, promise: nil)
    }
}

extension TimeAmount {
    fileprivate static func / (amount: Self, count: Int64) -> Self { .nanoseconds(amount.nanoseconds / count) }
}
