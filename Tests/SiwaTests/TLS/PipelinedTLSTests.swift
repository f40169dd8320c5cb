import AppleIDEmulator
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import Testing

@testable import siwa

@Suite("Connections with TLS", .timeLimit(.minutes(2)))
struct PipelinedTLSTests {
    /// Everything that a server says until it ends the connection.
    private func exchange(_ text: String, port: Int, _ tls: LocalTLS) async throws -> String {
        let context = try NIOSSLContext(configuration: try tls.clientConfiguration())
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        try NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var answers = ByteBuffer()
            for try await var piece in inbound { answers.writeBuffer(&piece) }
            return String(buffer: answers)
        }
    }

    @Test(
        "Requests that come at once are answered in order, the last one ends the connection, and bad framing is refused"
    )
    func pipelined() async throws {
        let tls = try LocalTLS(owner: "tests", domain: nil, at: Date())
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let emulator = try await Emulator(logger: logger)
        let (ports, running) = AsyncStream.makeStream(of: Int.self)
        let application = try emulator.application(port: 0, tls: try tls.serverConfiguration()) { running.yield($0) }
        let group = ServiceGroup(services: [application], logger: logger)
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await group.run() }
            let port = try #require(await ports.first { _ in true })
            func request(_ path: String, _ headers: String = "") -> String {
                "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(headers)\r\n"
            }
            let keys = request("/auth/keys")
            let text = String(repeating: keys, count: 200) + request("/nothing", "Connection: close\r\n") + keys
            let answers = try await exchange(text, port: port, tls)
            let statuses = answers.matches(of: #/HTTP\/1\.1 (\d{3}) /#).map { String($0.output.1) }
            #expect(statuses == Array(repeating: "200", count: 200) + ["404"])
            let refused = try await exchange(keys + request("/auth/keys", "Host: b\r\n") + keys, port: port, tls)
            #expect(refused.matches(of: #/HTTP\/1\.1 (\d{3}) /#).map { String($0.output.1) } == ["200", "400"])
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
