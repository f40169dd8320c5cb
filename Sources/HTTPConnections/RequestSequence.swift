import NIOCore
import NIOHTTP1

/// Gives a connection's requests to the server one after the other, and refuses those that break ``RequestFraming``.
///
/// It stands behind HTTP's decoder and works ``RequestGate``, which stands in front of it. A request is under way until
/// the last part of its answer has been written; the requests behind it wait. After the last request of a connection
/// nothing more is taken, but the reading goes on: the server notices when the client leaves a stream of events.
final class RequestSequence: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// An event that the decoder found behind the request under way, in the last bytes that it was handed.
    private enum Event {
        case part(HTTPServerRequestPart)
        case error(any Error)
    }

    private let gate: RequestGate
    private var backlog = CircularBuffer<Event>(initialCapacity: 0)
    /// The server has the head of a request and waits for more of it.
    private var isReceiving = false
    /// The server has the head of a request and has not ended its answer.
    private var isAnswering = false
    /// The connection closes after the answer under way.
    private var isLast = false
    /// The request under way is of HTTP/1.0.
    private var isOldVersion = false

    init(gate: RequestGate) { self.gate = gate }

    private var mayDeliver: Bool { isReceiving || !isAnswering }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !gate.isOver else { return }
        guard backlog.isEmpty, mayDeliver else {
            backlog.append(.part(unwrapInboundIn(data)))
            gate.hasBacklog = true
            return
        }
        deliver(unwrapInboundIn(data), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if backlog.isEmpty {
            // The decoder's events for bytes behind the last request, or for their end, don't matter.
            if error is HTTPParserError, gate.isOver || isLast && !isReceiving { return }
            deliver(error, context)
        } else {
            backlog.append(.error(error))
        }
    }

    private func deliver(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(var head):
            let framing = RequestFraming(head)
            if let refusal = framing.refusal {
                refuse(refusal, context)
                return
            }
            isReceiving = true
            isAnswering = true
            isOldVersion = head.version.isOld
            if !head.isKeepAlive || framing.asksForUpgrade {
                isLast = true
                // Hummingbird knows the end of a connection by this spelling alone.
                head.headers.replaceOrAdd(name: "Connection", value: "close")
            }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body:
            context.fireChannelRead(wrapInboundOut(part))
        case .end:
            isReceiving = false
            if isAnswering { gate.shut() }
            context.fireChannelRead(wrapInboundOut(part))
        }
    }

    private func deliver(_ error: any Error, _ context: ChannelHandlerContext) {
        // The decoder reads nothing after an error of its own.
        if error is HTTPParserError { gate.drain() }
        context.fireErrorCaught(error)
    }

    /// Answers without a body, as the server answers what the decoder refuses.
    private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
        backlog.removeAll()
        gate.drain()
        let head = HTTPResponseHead(
            version: .http1_1, status: status, headers: ["Connection": "close", "Content-Length": "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(mode: .output, promise: nil)
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.code < 200:
            context.write(data, promise: promise)
        case .head(let head):
            let changed = prepare(head)
            if isLast, !isReceiving {
                backlog.removeAll()
                gate.drain()
            }
            context.write(changed.map { wrapOutboundOut(.head($0)) } ?? data, promise: promise)
        case .body:
            context.write(data, promise: promise)
        case .end:
            isAnswering = false
            guard isLast else {
                context.write(data, promise: promise)
                if !isReceiving { goOn(context) }
                return
            }
            backlog.removeAll()
            gate.drain()
            context.writeAndFlush(data, promise: promise)
            context.close(mode: .output, promise: nil)
        }
    }

    /// Finds out whether the connection ends with this answer, and says so in it.
    /// - Returns: nil when the head may go as it is.
    private func prepare(_ head: HTTPResponseHead) -> HTTPResponseHead? {
        var saysClose = false
        var hasLength = false
        for (name, value) in head.headers {
            switch name.utf8.count {
            case 10 where name.isField("connection"): saysClose = saysClose || value.names("close")
            case 14 where name.isField("content-length"): hasLength = true
            default: break
            }
        }
        if saysClose { isLast = true }
        if isOldVersion, !hasLength, head.status.mayHaveResponseBody {
            // RFC 9112 §6.1: HTTP/1.0 knows no chunks; the end of the connection is the end of the answer.
            isLast = true
        }
        guard isOldVersion || isLast && !saysClose else { return nil }
        var head = head
        if isOldVersion { head.version = .http1_0 }
        if isLast {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        } else {
            head.headers.replaceOrAdd(name: "Connection", value: "keep-alive")
        }
        return head
    }

    private func goOn(_ context: ChannelHandlerContext) {
        gate.open()
        guard gate.isHolding else { return }
        // Later, so that this answer is sent first, and other connections get their turn.
        context.eventLoop.assumeIsolated().execute { self.deliverBacklog(context) }
    }

    private func deliverBacklog(_ context: ChannelHandlerContext) {
        guard !gate.isOver, context.channel.isActive else { return }
        var hasDelivered = false
        while mayDeliver, !gate.isOver, let event = backlog.popFirst() {
            hasDelivered = true
            switch event {
            case .part(let part): deliver(part, context)
            case .error(let error): deliver(error, context)
            }
        }
        if hasDelivered { context.fireChannelReadComplete() }
        gate.hasBacklog = !backlog.isEmpty
        if backlog.isEmpty { gate.resume() }
    }

    func handlerRemoved(context: ChannelHandlerContext) { backlog.removeAll() }
}
