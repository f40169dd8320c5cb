import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import TaskSignals

/// The mail server: takes mail for the people here while it runs, and sends none anywhere.
@available(siwaServer 1.0, *)
struct RelayService: Service, CustomStringConvertible {
    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// The number of senders that are connected.
    private final class OpenConnections: Sendable {
        private let count = Lock(0)

        func add(_ change: Int) -> Int {
            count.withLock { count in
                count += change
                return count
            }
        }
    }

    let core: EmulatorCore
    let host: String
    /// 0: the system chooses.
    let port: Int
    var limits = RelayLimits()
    let logger: Logger
    /// Receives the port once connections are accepted, and nil at the end.
    let onListening: @Sendable (Int?) -> Void

    var description: String { "RelayService" }

    func run() async throws {
        let server = try await listen()
        do {
            try await cancelWhenGracefulShutdown {
                try await accept(server)
            }
        } catch is CancellationError {
            // Cancellation is the normal end of a server.
        }
    }

    private func listen() async throws(EmulatorError) -> NIOAsyncChannel<Connection, Never> {
        let limits = limits
        do {
            return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                // A sender that sends QUIT and closes that half still gets the answers.
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .bind(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers(
                            IdleStateHandler(readTimeout: limits.silence), RelayTimeoutHandler(limit: limits.connection)
                        )
                        return try Connection(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw EmulatorError(.invalidConfiguration, "there can be no mail server on port \(port)", cause: error)
        }
    }

    private func accept(_ server: NIOAsyncChannel<Connection, Never>) async throws {
        let open = OpenConnections()
        defer { onListening(nil) }
        try await server.executeThenClose { connections in
            onListening(server.channel.localAddress?.port ?? port)
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections {
                    group.addTask {
                        let isTooMany = open.add(1) > limits.connections
                        await serve(connection, isTooMany: isTooMany)
                        _ = open.add(-1)
                    }
                }
            }
        }
    }

    private func serve(_ connection: Connection, isTooMany: Bool) async {
        do {
            try await connection.executeThenClose { inbound, outbound in
                guard !isTooMany else { return try await outbound.write(buffer(.tooManyConnections)) }
                try await outbound.write(buffer(SMTPSession.greeting))
                var session = SMTPSession(limits: limits)
                for try await bytes in inbound {
                    session.append(bytes.readableBytesView)
                    while let action = session.next() {
                        let (reply, isLast) = core.perform(action, in: &session)
                        if case .deliver = action {
                            logger.info("A mail came in", metadata: ["reply": "\(reply.description)"])
                        }
                        try await outbound.write(buffer(reply))
                        if isLast { return }
                    }
                }
            }
        } catch {
            // The sender closed the connection in the middle of a conversation.
            logger.debug("A connection to the mail server broke", metadata: ["error.type": "\(type(of: error))"])
        }
    }

    private func buffer(_ reply: SMTPReply) -> ByteBuffer { ByteBuffer(string: reply.text) }
}

/// The limits of the mail server.
struct RelayLimits: Sendable {
    /// Bytes of a mail, as announced with `SIZE`.
    var mail = 1 << 20
    /// Bytes of a command, without its ending. RFC 5321 has 512 with the ending, and more for each extension.
    var commandLine = 2_048
    /// Bytes of a line within a mail, without its ending (RFC 5322 §2.1.1).
    var textLine = 998
    /// The number of recipients of one mail (RFC 5321 §4.5.3.1.8 asks for no fewer).
    var recipients = 100
    /// Mails on one connection.
    var mails = 100
    /// Commands refused on one connection, before it is closed.
    var mistakes = 20
    /// Connections at once.
    var connections = 64
    /// The time without a byte from the sender.
    var silence = TimeAmount.seconds(60)
    /// The lifetime of a connection.
    var connection = TimeAmount.minutes(10)
}

/// Hangs up on a sender who says nothing for too long, or who stays too long altogether.
final class RelayTimeoutHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let limit: TimeAmount
    private var end: Scheduled<Void>?

    /// - Parameter limit: the lifetime of the connection. An `IdleStateHandler` before this handler measures the silence.
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

/// The port on which the mail server listens, and a wait for it.
final class RelayPort: Sendable {
    private struct Guarded {
        var port: Int?
        /// Delivered when the mail server listens, or has ended; then a new one takes its place.
        var listening = OneShot<Void>()
    }

    private let guarded = Lock(Guarded())

    /// Nil before it listens, and after.
    var number: Int? { guarded.withLock { $0.port } }

    func set(_ port: Int?) {
        let listening = guarded.withLock { guarded in
            guarded.port = port
            defer { if port == nil { guarded.listening = OneShot() } }
            return guarded.listening
        }
        listening.deliver()
    }

    /// Returns once there is a port, or when the calling task is cancelled.
    func wait() async {
        await guarded.withLock { $0.listening }.wait()
    }
}
