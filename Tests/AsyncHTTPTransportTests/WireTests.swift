import AppleIDTransport
import AsyncHTTPTransport
import NIOCore
import NIOPosix
import Testing

/// The bytes that leave this machine.
@Suite("Requests on the wire")
struct WireTests {
    /// Answers with the request's own head.
    private final class EchoHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private var received = ""

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += String(buffer: unwrapInboundIn(data))
            guard let end = received.firstRange(of: "\r\n\r\n") else { return }
            let head = received[..<end.lowerBound]
            received = ""
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(head.utf8.count)\r\nConnection: close\r\n\r\n\(head)"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        }
    }

    private func head(_ request: (Int) -> AppleRequest) async throws -> [String] {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(EchoHandler())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let transport = AsyncHTTPTransport()
        let result: Result<AppleResponse, any Error>
        do {
            result = .success(try await transport.send(request(try #require(server.localAddress?.port))))
        } catch {
            result = .failure(error)
        }
        try await transport.shutdown()
        try await server.close()
        return String(decoding: try result.get().body, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    @Test("A request has siwa's user agent once, and nothing else about this server")
    func get() async throws {
        let lines = try await head { .get("http://127.0.0.1:\($0)/auth/keys") }
        #expect(lines.first == "GET /auth/keys HTTP/1.1")
        let names = Set(lines.dropFirst().map { $0.prefix { $0 != ":" }.lowercased() })
        #expect(names == ["host", "accept", "user-agent"])
        #expect(lines.filter { $0.lowercased().hasPrefix("user-agent:") } == ["User-Agent: \(AppleRequest.userAgent)"])
    }

    @Test("A form has its type and length, and a bearer token has its header")
    func post() async throws {
        let lines = try await head {
            .post("http://127.0.0.1:\($0)/auth/token", form: [("a", "b")], bearer: "t")
        }
        #expect(lines.first == "POST /auth/token HTTP/1.1")
        let fields = Set(lines.dropFirst().map { $0.lowercased() })
        #expect(fields.isSuperset(of: ["content-length: 3", "content-type: application/x-www-form-urlencoded"]))
        #expect(fields.contains("authorization: bearer t"))
    }
}
