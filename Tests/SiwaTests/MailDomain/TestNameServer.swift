import NIOCore
import NIOPosix

@testable import siwa

/// A name server on this machine that knows a few names, by UDP and by TCP at one port.
final class TestNameServer: Sendable {
    enum Reply: Sendable {
        /// Each a record, in pieces.
        case texts([[String]])
        /// Of another type, and behind an alias.
        case aliasAndAddress(thenText: String)
        case code(UInt16)
        /// Says that it does not fit; the texts come by TCP.
        case onlyByTCP([[String]])
        /// First what answers no question of ours, then the texts.
        case afterForeignAnswers([[String]])
        case silence
        /// Ends within its first record.
        case cutOff
    }

    let address: SocketAddress
    private let channels: [any Channel]

    /// - Parameter replies: by name; every other name is unknown.
    init(_ replies: [String: Reply]) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        var bound: [any Channel] = []
        // The port that UDP got may be taken for TCP.
        while bound.isEmpty {
            let datagrams = try await DatagramBootstrap(group: group)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Datagrams(replies: replies))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            do {
                let streams = try await ServerBootstrap(group: group)
                    .childChannelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(Streams(replies: replies))
                        }
                    }
                    .bind(host: "127.0.0.1", port: datagrams.localAddress?.port ?? 0).get()
                bound = [datagrams, streams]
            } catch is IOError {
                try await datagrams.close()
            }
        }
        channels = bound
        address = try SocketAddress(ipAddress: "127.0.0.1", port: bound[0].localAddress?.port ?? 0)
    }

    func close() async throws {
        for channel in channels { try await channel.close() }
    }

    /// Runs the body beside a server, for which a machine that is busy with other tests has time.
    static func with<Result>(
        _ replies: [String: Reply], _ body: (NameServers) async throws -> Result
    ) async throws -> Result {
        let server = try await TestNameServer(replies)
        do {
            let result = try await body(
                NameServers(addresses: [server.address], limit: .seconds(300), patience: .seconds(120)))
            try await server.close()
            return result
        } catch {
            try await server.close()
            throw error
        }
    }

    private final class Datagrams: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        typealias OutboundOut = AddressedEnvelope<ByteBuffer>

        private let replies: [String: Reply]

        init(replies: [String: Reply]) { self.replies = replies }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let envelope = unwrapInboundIn(data)
            for message in Wire(question: Array(envelope.data.readableBytesView)).messages(replies, byTCP: false) {
                let answer = AddressedEnvelope(remoteAddress: envelope.remoteAddress, data: ByteBuffer(bytes: message))
                context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
            }
        }
    }

    private final class Streams: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let replies: [String: Reply]

        init(replies: [String: Reply]) { self.replies = replies }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let question = Array(unwrapInboundIn(data).readableBytesView.dropFirst(2))
            for message in Wire(question: question).messages(replies, byTCP: true) {
                // In two pieces, as a network may bring it.
                let whole = [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: whole.prefix(20))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: whole.dropFirst(20))), promise: nil)
            }
        }
    }
}

/// Answers written by hand, so that reading and writing do not share a mistake.
private struct Wire {
    let question: [UInt8]

    var name: String {
        var labels: [String] = []
        var rest = question.dropFirst(12)
        while let length = rest.first, length > 0 {
            labels.append(String(decoding: rest.dropFirst().prefix(Int(length)), as: UTF8.self))
            rest = rest.dropFirst(Int(length) + 1)
        }
        return labels.joined(separator: ".")
    }

    func messages(_ replies: [String: TestNameServer.Reply], byTCP: Bool) -> [[UInt8]] {
        switch replies[name] ?? .code(3) {
        case .texts(let texts): return [message(texts.map(text))]
        case .aliasAndAddress(let last):
            let alias: [UInt8] = [0xC0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, 4, 1, 0x61, 0xC0, 12]
            let address: [UInt8] = [1, 0x61, 0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1]
            return [message([alias, address, text([last])])]
        case .code(let code): return [message([], flags: 0x8180 | code)]
        case .onlyByTCP(let texts): return byTCP ? [message(texts.map(text))] : [message([], flags: 0x8380)]
        case .afterForeignAnswers(let texts):
            var foreign = message([text(["v=spf1 +all"])])
            foreign[0] ^= 0xFF
            var otherName = message([text(["v=spf1 +all"])])
            otherName[13] ^= 1
            return [[], [0, 1, 2], foreign, otherName, question, message(texts.map(text))]
        case .silence: return []
        case .cutOff: return [message([text(["v=spf1 -all"])]).dropLast(5)]
        }
    }

    private func message(_ records: [[UInt8]], flags: UInt16 = 0x8180) -> [UInt8] {
        question.prefix(2) + [UInt8(flags >> 8), UInt8(flags & 0xFF), 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
            + question.dropFirst(12) + records.joined()
    }

    /// A TXT record whose name points at the question's.
    private func text(_ pieces: [String]) -> [UInt8] {
        let data = pieces.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        return [0xC0, 12, 0, 16, 0, 1, 0, 0, 0, 60, UInt8(data.count >> 8), UInt8(data.count & 0xFF)] + data
    }
}
