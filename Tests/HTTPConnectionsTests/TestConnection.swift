import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPConnections

/// A connection without a socket: the handlers as they stand in a server, and what they let through.
final class TestConnection {
    let channel = EmbeddedChannel()
    private let socket = Socket()

    init() throws {
        let gate = RequestGate()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([socket, gate, HTTPResponseEncoder()] as [any ChannelHandler])
        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        try pipeline.addHandler(RequestSequence(gate: gate))
        try pipeline.addHandler(Server(socket))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// Bytes of the client arrive in one read.
    func receive(_ text: String) throws {
        try channel.writeInbound(ByteBuffer(string: text))
        channel.embeddedEventLoop.run()
    }

    /// The client ends its side.
    func receiveEnd() {
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        channel.embeddedEventLoop.run()
    }

    /// Returns the server's events since the last call, in short: `GET /a`, `body "…"`, `end`, `error`, `closed`.
    func taken() -> [String] {
        defer { socket.events = [] }
        return socket.events
    }

    /// Returns the text that the client got since the last call.
    func sent() throws -> String {
        var text = ""
        while let part = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let buffer) = part { text += String(buffer: buffer) }
        }
        return text
    }

    /// The server writes an answer, to its end.
    func answer(_ text: String = "", _ status: HTTPResponseStatus = .ok, _ headers: HTTPHeaders? = nil) {
        begin(status, headers ?? ["Content-Length": "\(text.utf8.count)"])
        write(text)
        end()
    }

    func begin(_ status: HTTPResponseStatus = .ok, _ headers: HTTPHeaders = [:]) {
        channel.write(
            HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)),
            promise: nil)
    }

    func write(_ text: String) {
        guard !text.isEmpty else { return }
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: text))), promise: nil)
    }

    func end() {
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        channel.embeddedEventLoop.run()
    }

    /// How often more was asked of the socket since the last call.
    func reads() -> Int {
        defer { socket.reads = 0 }
        return socket.reads
    }

    /// The event loop asks for more, as it does after each read.
    func askForMore() { channel.read() }

    var hasClosedOutput: Bool { socket.hasClosedOutput }

    private final class Socket: ChannelOutboundHandler {
        typealias OutboundIn = IOData
        var events: [String] = []
        var reads = 0
        var hasClosedOutput = false

        func read(context: ChannelHandlerContext) {
            reads += 1
            context.read()
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            guard mode == .output else {
                context.close(mode: mode, promise: promise)
                return
            }
            hasClosedOutput = true
            promise?.succeed()
        }
    }

    private final class Server: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        private let socket: Socket

        init(_ socket: Socket) { self.socket = socket }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): socket.events.append("\(head.method) \(head.uri)")
            case .body(let body): socket.events.append("body \"\(String(buffer: body))\"")
            case .end: socket.events.append("end")
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { socket.events.append("error") }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .inputClosed? = event as? ChannelEvent { socket.events.append("closed") }
        }
    }
}
