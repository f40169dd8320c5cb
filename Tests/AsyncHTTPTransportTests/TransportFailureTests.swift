import AppleID
import AppleIDTransport
import AppleIDTypes
import AsyncHTTPClient
import AsyncHTTPTransport
import Foundation
import InMemoryLogging
import Logging
import NIOCore
import NIOPosix
import Testing

/// Against real sockets: the errors come from the network. Those of TLS are tested with the certificate maker.
@Suite("Why a server was not reached")
struct TransportFailureTests {
    /// Does one thing with the first bytes of a connection.
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        let answer: String
        let closes: Bool
        private var hasAnswered = false

        init(answer: String, closes: Bool) {
            self.answer = answer
            self.closes = closes
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !hasAnswered else { return }
            hasAnswered = true
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
            if closes { context.close(promise: nil) }
        }
    }

    private func withServer<Value>(
        answering answer: String, closes: Bool, _ body: (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(answer: answer, closes: closes))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let result: Result<Value, any Error>
        do { result = .success(try await body(port)) } catch { result = .failure(error) }
        try await server.close()
        return try result.get()
    }

    private func failure(_ url: String, timeLimit: Duration = .seconds(300)) async throws -> TransportFailure {
        let transport = AsyncHTTPTransport(timeLimit: timeLimit)
        let failure = await #expect(throws: TransportFailure.self) { try await transport.send(.get(url)) }
        try await transport.shutdown()
        return try #require(failure)
    }

    @Test("the error has the host and the cause, and nothing else of the request")
    func refused() async throws {
        // A port that was free a moment ago.
        let port = try await withServer(answering: "", closes: true) { $0 }
        let failure = try await failure("http://127.0.0.1:\(port)/auth/keys?secret=1")
        #expect(failure.cause == .connectionRefused)
        #expect(failure.host == "127.0.0.1:\(port)")
        #expect("\(failure)" == "connection_refused: 127.0.0.1:\(port)")
    }

    @Test("a name that doesn't resolve is named as the cause")
    func name() async throws {
        let failure = try await failure("https://appleid.invalid/auth/keys")
        #expect(failure.cause == .nameNotFound)
        #expect(failure.host == "appleid.invalid")
    }

    @Test(
        "a missing, broken or malformed answer is named as the cause",
        arguments: [
            ("", false, TransportFailure.Cause.answerTimedOut),
            ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", false, .answerTimedOut),
            ("", true, .closedEarly),
            ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", true, .closedEarly),
            ("220 mail.example.com ESMTP\r\n", true, .malformedAnswer),
        ])
    func answers(answer: String, closes: Bool, expected: TransportFailure.Cause) async throws {
        let limit: Duration = expected == .answerTimedOut ? .milliseconds(200) : .seconds(300)
        let result: TransportFailure = try await withServer(answering: answer, closes: closes) { port in
            try await failure("http://127.0.0.1:\(port)/", timeLimit: limit)
        }
        #expect(result.cause == expected)
    }

    @Test("a server without TLS is named as the cause")
    func noTLS() async throws {
        let answer = "HTTP/1.1 400 Bad Request\r\n\r\n"
        let result: TransportFailure = try await withServer(answering: answer, closes: false) { port in
            try await failure("https://127.0.0.1:\(port)/")
        }
        #expect(result.cause == .tlsFailed)
    }

    @Test("a cancelled caller gets the cancellation")
    func cancelled() async throws {
        try await withServer(answering: "", closes: false) { port in
            let transport = AsyncHTTPTransport()
            let task = Task { try await transport.send(.get("http://127.0.0.1:\(port)/")) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await transport.shutdown()
        }
    }

    @Test("the log names an hour's difference between this clock and the server's")
    func clockDiffers() async throws {
        var handler = InMemoryLogHandler()
        handler.logLevel = .notice
        let date = Date().addingTimeInterval(3_600)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let answer = "HTTP/1.1 404 Not Found\r\nDate: \(formatter.string(from: date))\r\nContent-Length: 0\r\n\r\n"
        try await withServer(answering: answer, closes: false) { port in
            let transport = AsyncHTTPTransport()
            let client = AppleIDClient(
                server: try .emulator(at: "http://127.0.0.1:\(port)"), clients: [], transport: transport,
                logger: Logger(label: "test") { [handler] _ in handler })
            await #expect(throws: AppleIDError(.keysUnavailable, "")) { try await client.keys.key("TESTKEY001") }
            try await transport.shutdown()
        }
        let line = try #require(handler.entries.first { "\($0.message)".contains("clock") })
        let ahead = try #require(line.metadata["ahead_seconds"].flatMap { Int("\($0)") })
        #expect(line.level == .warning)
        // The request takes some time on a busy machine.
        #expect((-3_600 ... -3_300).contains(ahead))
    }
}
