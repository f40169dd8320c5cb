import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The mail server: takes mail for the people here while it runs, and sends none anywhere.
struct RelayService: Service {
    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// How many senders are there.
    private final class OpenConnections: Sendable {
        private let count = Mutex(0)

        func add(_ change: Int) -> Int {
            count.withLock { count in
                count += change
                return count
            }
        }
    }

    let authority: Authority
    let host: String
    /// 0: the system chooses.
    let port: Int
    var limits = RelayLimits()
    let logger: Logger
    /// Is told the port once connections are accepted, and nil at the end.
    let onListening: @Sendable (Int?) -> Void

    func run() async throws {
        let server = try await listen()
        do {
            try await cancelWhenGracefulShutdown {
                try await accept(server)
            }
        } catch is CancellationError {
            // Which is how a server's life ends.
        }
    }

    private func listen() async throws(EmulatorError) -> NIOAsyncChannel<Connection, Never> {
        let limits = limits
        do {
            return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                // Who sends QUIT and closes that half still gets the answers.
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .bind(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers(
                            IdleStateHandler(readTimeout: limits.silence), RelayPatience(limit: limits.connection))
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
                        let (reply, isLast) = authority.perform(action, in: &session)
                        if case .deliver = action {
                            logger.info("A mail came in", metadata: ["reply": "\(reply.description)"])
                        }
                        try await outbound.write(buffer(reply))
                        if isLast { return }
                    }
                }
            }
        } catch {
            // A sender who is gone in the middle of a conversation has only itself to tell.
            logger.debug("A connection to the mail server broke", metadata: ["error.type": "\(type(of: error))"])
        }
    }

    private func buffer(_ reply: SMTPReply) -> ByteBuffer { ByteBuffer(string: reply.text) }
}
