import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import AppleIDEmulator

@Suite("The mail server on the network", .timeLimit(.minutes(1)))
struct RelayNetworkTests {
    private static let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    /// Sends all at once, and reads until the server hangs up.
    private static func exchange(_ port: Int, _ text: String) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            if !text.isEmpty { try await outbound.write(ByteBuffer(string: text)) }
            var answer = ""
            for try await bytes in inbound { answer += String(buffer: bytes) }
            return answer
        }
    }

    /// Runs a mail server of its own until the body is done.
    private func withRelay(
        _ limits: RelayLimits, _ body: @escaping @Sendable (TestEmulator, Int) async throws -> Void
    ) async throws {
        let emulator = try await TestEmulator()
        let port = RelayPort()
        let service = RelayService(
            core: emulator.emulator.core, host: "127.0.0.1", port: 0, limits: limits, logger: Self.logger,
            onListening: { port.set($0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            await port.wait()
            try await body(emulator, #require(port.number))
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(port.number == nil)
    }

    @Test("a running emulator listens for mail before anything else, and stores it")
    func delivery() async throws {
        let (emulator, relay) = try await TestEmulator.withRelay { $0.mailPort = 0 }
        #expect(emulator.emulator.mailPort == nil)
        try await emulator.emulator.application(port: 0).test(.live) { _ in
            let port = try #require(emulator.emulator.mailPort)
            let mail = """
                EHLO test\r
                MAIL FROM:<news@juice.example.com>\r
                RCPT TO:<\(relay)>\r
                RCPT TO:<somebody@example.org>\r
                DATA\r
                From: news@juice.example.com\r
                Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r
                \r
                Hello\r
                .\r
                QUIT\r

                """
            let lines = try await Self.exchange(port, mail).split(separator: "\r\n")
            #expect(lines.first == "220 siwa-emulator ESMTP, for tests; this is not Apple")
            #expect(
                lines.suffix(6) == [
                    "250 2.1.0 OK", "250 2.1.5 OK", "550 5.7.1 relaying denied: nobody here has this address",
                    "354 end with a dot on a line of its own", "250 2.0.0 OK", "221 2.0.0 goodbye",
                ])
            #expect(try await emulator.mails().map { $0["subject"] as? String } == ["Grüße"])
        }
        #expect(emulator.emulator.mailPort == nil)
    }

    @Test("an emulator without a mail port doesn't listen for mail")
    func off() async throws {
        let emulator = try await TestEmulator()
        try await emulator.emulator.application(port: 0).test(.live) { _ in
            #expect(emulator.emulator.mailPort == nil)
        }
    }

    @Test("an emulator whose mail port is taken fails to start")
    func taken() async throws {
        try await withRelay(RelayLimits()) { _, port in
            let emulator = try await TestEmulator { $0.mailPort = port }
            await #expect(throws: EmulatorError.self) {
                try await emulator.emulator.application(port: 0).run()
            }
        }
    }

    @Test("a silent connection is closed, and so is one that lasts too long")
    func patience() async throws {
        var limits = RelayLimits()
        limits.silence = .milliseconds(20)
        try await withRelay(limits) { _, port in
            let answer = try await Self.exchange(port, "")
            #expect(answer.hasSuffix("421 4.4.2 timeout\r\n"))
        }
        limits = RelayLimits()
        limits.connection = .milliseconds(20)
        try await withRelay(limits) { _, port in
            let answer = try await Self.exchange(port, "")
            #expect(answer.hasSuffix("421 4.4.2 timeout\r\n"))
        }
    }

    @Test("a connection beyond the limit gets an answer that says so")
    func connections() async throws {
        var limits = RelayLimits()
        limits.connections = 0
        try await withRelay(limits) { _, port in
            let answer = try await Self.exchange(port, "")
            #expect(answer == "421 4.7.0 too many connections\r\n")
        }
    }

    @Test("no mail of many concurrent senders is lost")
    func concurrency() async throws {
        try await withRelay(RelayLimits()) { emulator, port in
            try await withThrowingTaskGroup(of: String.self) { group in
                for sender in 0..<20 {
                    group.addTask {
                        try await Self.exchange(
                            port,
                            "EHLO x\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<mono@example.com>\r\nDATA\r\n"
                                + "Subject: \(sender)\r\n\r\nx\r\n.\r\nQUIT\r\n")
                    }
                }
                for try await answer in group { #expect(answer.contains("250 2.0.0 OK")) }
            }
            let subjects = try await emulator.mails(of: "mono").compactMap { $0["subject"] as? String }
            #expect(Set(subjects) == Set((0..<20).map { "\($0)" }))
        }
    }
}
