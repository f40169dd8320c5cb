import AppleIDTransport
import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOPosix
import Testing

@testable import AsyncHTTPTransport

/// Against a real socket: what the limits are for comes from the network.
@Suite("Transport over the network")
struct AsyncHTTPTransportTests {
    /// Answers the first bytes of a connection with the same bytes always, and then says no more.
    private final class CannedHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        let answer: String
        private var hasAnswered = false

        init(answer: String) {
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // A request may arrive in pieces.
            guard !hasAnswered else { return }
            hasAnswered = true
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        }
    }

    @Test("An answer is returned whole, whatever its status")
    func answer() async throws {
        let response = try await exchange(
            answering: "HTTP/1.1 400 Bad Request\r\nX-A: b\r\nContent-Length: 5\r\n\r\nhello")
        #expect(response.status == 400)
        #expect(response.body == Array("hello".utf8))
        #expect(response.head.headerFields.contains { $0.name.rawName == "X-A" && $0.value == "b" })
    }

    @Test("A redirect is returned as an answer, and not followed")
    func redirect() async throws {
        let response = try await exchange(
            answering: "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
        #expect(response.status == 302)
    }

    @Test("An answer larger than the limit is an error, with or without a Content-Length")
    func tooLarge() async throws {
        let size = AsyncHTTPTransport.maximumAnswerBytes + 1
        await #expect(throws: (any Error).self) {
            try await exchange(
                answering: "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n" + String(repeating: "x", count: size))
        }
        await #expect(throws: (any Error).self) {
            try await exchange(
                answering: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(String(size, radix: 16))\r\n"
                    + String(repeating: "x", count: size) + "\r\n0\r\n\r\n")
        }
    }

    @Test(
        "An answer that doesn't come, or stops half-way, is an error at the time limit",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"])
    func timeLimit(answer: String) async throws {
        await #expect(throws: (any Error).self) { try await exchange(answering: answer, timeLimit: .milliseconds(200)) }
    }

    @Test(
        "A server may be silent for the whole time limit, also for longer than ten seconds",
        arguments: [(.milliseconds(200), .milliseconds(200)), (.seconds(30), .seconds(30))] as [(Duration, TimeAmount)])
    func silence(timeLimit: Duration, expected: TimeAmount) {
        #expect(AsyncHTTPTransport.configuration(timeLimit: timeLimit).timeout.read == expected)
    }

    @Test("The largest time limit lets an answer through")
    func largestTimeLimit() async throws {
        let response = try await exchange(
            answering: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", timeLimit: .seconds(Int64.max))
        #expect(response.body == Array("hello".utf8))
    }

    @Test("A client that the server already has is shared, and stays with its owner")
    func shared() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        let client = HTTPClient(configuration: configuration)
        for _ in 0..<2 {
            let response = try await exchange(
                answering: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                over: AsyncHTTPTransport(sharing: client, timeLimit: Self.longTimeLimit))
            #expect(response.body == Array("hello".utf8))
        }
        await #expect(throws: (any Error).self) {
            try await exchange(
                answering: "", over: AsyncHTTPTransport(sharing: client, timeLimit: .milliseconds(200)))
        }
        try await client.shutdown()
    }

    @Test("A redirect by a shared client is an error, and its answer isn't taken for Apple's")
    func sharedRedirect() async throws {
        let client = HTTPClient()
        let target = try await server(answering: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        let port = try #require(target.localAddress?.port)
        let failure = await #expect(throws: TransportFailure.self) {
            try await exchange(
                answering: "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(port)/\r\nContent-Length: 0\r\n\r\n",
                over: AsyncHTTPTransport(sharing: client, timeLimit: Self.longTimeLimit))
        }
        #expect(failure?.cause == .malformedAnswer)
        #expect(failure?.underlying as? HTTPClientError == .redirectLimitReached)
        try await target.close()
        try await client.shutdown()
    }

    @Test("A host that refuses the connection is an error")
    func refused() async throws {
        let transport = AsyncHTTPTransport()
        await #expect(throws: (any Error).self) { try await transport.send(.get("http://127.0.0.1:1/")) }
        try await transport.shutdown()
    }

    /// The time limit of tests whose answer comes. It is long because the machine may be busy.
    private static let longTimeLimit: Duration = .seconds(300)

    private func server(answering answer: String) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(CannedHandler(answer: answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    private func exchange(
        answering answer: String, timeLimit: Duration = Self.longTimeLimit
    ) async throws -> AppleResponse {
        try await exchange(answering: answer, over: AsyncHTTPTransport(timeLimit: timeLimit))
    }

    private func exchange(answering answer: String, over transport: AsyncHTTPTransport) async throws -> AppleResponse {
        let server = try await server(answering: answer)
        let port = try #require(server.localAddress?.port)
        let result: Result<AppleResponse, any Error>
        do {
            result = .success(
                try await transport.send(.post("http://127.0.0.1:\(port)/auth/token", form: [("a", "b c")])))
        } catch {
            result = .failure(error)
        }
        try await transport.shutdown()
        try await server.close()
        return try result.get()
    }
}
