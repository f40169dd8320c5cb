import NIOCore

/// Hangs up on a sender who says nothing for too long, or who stays too long altogether.
final class RelayPatience: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let limit: TimeAmount
    private var end: Scheduled<Void>?

    /// - Parameter limit: of the whole connection. Silence is measured by an `IdleStateHandler` before this one.
    init(limit: TimeAmount) {
        self.limit = limit
    }

    func channelActive(context: ChannelHandlerContext) {
        end = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { self.hangUp(context) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end?.cancel()
        end = nil
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            hangUp(context)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    private func hangUp(_ context: ChannelHandlerContext) {
        let farewell = ByteBuffer(string: SMTPReply.tooSlow.text)
        context.writeAndFlush(wrapOutboundOut(farewell), promise: nil)
        context.close(promise: nil)
    }
}
