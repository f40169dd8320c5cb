import NIOCore

/// Holds back a client's next requests until the request before them is answered.
///
/// It stands in front of HTTP's decoder, because a decoder reads everything that it is handed: 256 KB of pipelined
/// requests would become thousands of requests in memory. ``RequestSequence``, behind the decoder, opens and shuts it.
///
/// While nothing is held, reading goes on as without it: most clients send a request only when they have the answer to
/// the one before, and stopping the reading for each would cost two system calls. So at most one read is held.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private enum Passage {
        case open, shut
        /// The connection takes no more requests. Later bytes are read, so that their end is noticed, and dropped.
        case draining
        /// The client has sent too much, and the connection closes.
        case closing
    }

    /// The number of bytes that the decoder gets at a time. They are few, so that they hold only few requests.
    private static let slice = 1_024
    /// The maximum number of bytes that are held. More than one read is held only after the client has ended its side,
    /// because NIO then reads everything that is left.
    private static let maximumHeldBytes = 65_536
    /// The maximum number of bytes that are dropped. Only an attacker sends more after the last request.
    private static let maximumDrainedBytes = 1_048_576

    private var passage = Passage.open
    private var held: ByteBuffer?
    private var drained = 0
    /// Whether ``RequestSequence`` holds decoded parts. It sets this property.
    var hasBacklog = false
    /// Whether the client has ended its side, and the decoder doesn't know it yet. The decoder gets the held bytes first.
    private var isEndHeld = false
    private var isReadHeld = false
    private var context: ChannelHandlerContext?

    /// Whether anything waits for the answer to the request under way.
    var isHolding: Bool { held != nil || hasBacklog || isEndHeld }
    /// Whether the connection takes no more requests.
    var isOver: Bool { passage == .draining || passage == .closing }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    // MARK: Calls of RequestSequence

    /// Stops handing bytes to the decoder until ``open()``.
    func shut() {
        if passage == .open { passage = .shut }
    }

    /// Lets the next request come. Held bytes stay held until ``resume()``.
    func open() {
        if passage == .shut { passage = .open }
    }

    /// Stops handing bytes to the decoder for good.
    func drain() {
        guard !isOver else { return }
        passage = .draining
        held = nil
        hasBacklog = false
        releaseEndAndRead()
    }

    /// Hands on the held bytes, as far as the gate stays open, and lets reading go on when none are left.
    func resume() {
        guard let context, !isOver else { return }
        if passage == .open, let bytes = held {
            held = nil
            feed(bytes, context)
            context.fireChannelReadComplete()
        }
        if held == nil, !hasBacklog { releaseEndAndRead() }
    }

    private func releaseEndAndRead() {
        if isEndHeld {
            isEndHeld = false
            context?.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if isReadHeld {
            isReadHeld = false
            context?.read()
        }
    }

    // MARK: Bytes that come in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch passage {
        case .open where !isHolding:
            feed(unwrapInboundIn(data), context)
        case .open, .shut:
            hold(unwrapInboundIn(data), context)
        case .draining:
            drained += unwrapInboundIn(data).readableBytes
            if drained > Self.maximumDrainedBytes { close(context) }
        case .closing: break
        }
    }

    private func feed(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        var bytes = bytes
        while passage == .open, let slice = bytes.readSlice(length: min(Self.slice, bytes.readableBytes)),
            slice.readableBytes > 0
        {
            context.fireChannelRead(wrapInboundOut(slice))
        }
        if !isOver, bytes.readableBytes > 0 { hold(bytes, context) }
    }

    private func hold(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        var bytes = bytes
        if held?.writeBuffer(&bytes) == nil { held = bytes }
        if held?.readableBytes ?? 0 > Self.maximumHeldBytes { close(context) }
    }

    private func close(_ context: ChannelHandlerContext) {
        passage = .closing
        held = nil
        context.close(promise: nil)
    }

    func read(context: ChannelHandlerContext) {
        if passage == .closing { return }
        if isHolding, passage != .draining {
            isReadHeld = true
        } else {
            context.read()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isHolding, !isOver, case .inputClosed? = event as? ChannelEvent {
            isEndHeld = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        held = nil
        context.fireChannelInactive()
    }
}
