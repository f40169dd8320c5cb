import Foundation
import NIOCore
import NIOPosix

/// Asks the machine's name servers for TXT records, which the system's own look-up of addresses does not give.
struct NameServers: Sendable {
    private static let port = 53
    /// In the order in which they are asked.
    let addresses: [SocketAddress]
    /// For one question, all servers and repetitions together.
    var limit: Duration = .seconds(5)
    /// For one server, before the next is asked.
    var patience: Duration = .milliseconds(1_500)

    /// Those of `/etc/resolv.conf`: three at most, and this machine's own where it names none (resolv.conf(5)).
    static func ofSystem(configuration path: String = "/etc/resolv.conf") -> Self {
        let text: String
        do {
            text = try SmallFile.text(path)
        } catch {
            // No file is a file without servers.
            text = ""
        }
        let named = text.split(whereSeparator: \.isNewline).compactMap { line -> SocketAddress? in
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count >= 2, words[0] == "nameserver" else { return nil }
            return try? SocketAddress(ipAddress: String(words[1]), port: port)
        }
        let own = try? SocketAddress(ipAddress: "127.0.0.1", port: port)
        return Self(addresses: named.isEmpty ? own.map { [$0] } ?? [] : Array(named.prefix(3)))
    }

    /// Asks each server, and each a second time, until one knows; `failed` when none does in time.
    func texts(of name: String) async -> TextAnswer {
        let failure = TextAnswer.failed(addresses.isEmpty ? "there is no name server" : "no name server answers")
        return await Self.within(limit) {
            var last = failure
            for address in addresses + addresses {
                guard let question = TextQuestion(name) else { return .failed("\(name) is no name") }
                guard let answer = await Self.within(patience, { await Self.ask(question, address) }) else {
                    continue
                }
                if case .texts = answer { return answer }
                last = answer
            }
            return last
        } ?? failure
    }

    /// By UDP, and by TCP where that is too small (RFC 7766 §5).
    private static func ask(_ question: TextQuestion, _ address: SocketAddress) async -> TextAnswer? {
        do {
            let answer = try await askByUDP(question, address)
            return answer == .truncated ? try await askByTCP(question, address) : answer
        } catch {
            // Nobody there; the next one may be.
            return nil
        }
    }

    private static func askByUDP(_ question: TextQuestion, _ address: SocketAddress) async throws -> TextAnswer? {
        let channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(to: address) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<AddressedEnvelope<ByteBuffer>, AddressedEnvelope<ByteBuffer>>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(AddressedEnvelope(remoteAddress: address, data: ByteBuffer(bytes: question.bytes)))
            for try await envelope in inbound {
                // What answers another question may be forged, or late: it is not the end of waiting.
                if let answer = question.answer(in: Array(envelope.data.readableBytesView)) { return answer }
            }
            return nil
        }
    }

    private static func askByTCP(_ question: TextQuestion, _ address: SocketAddress) async throws -> TextAnswer? {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(to: address) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var message = ByteBuffer()
            message.writeInteger(UInt16(question.bytes.count))
            message.writeBytes(question.bytes)
            try await outbound.write(message)
            // A length in two bytes, so 64 KB at most.
            var received = ByteBuffer()
            for try await var piece in inbound {
                received.writeBuffer(&piece)
                guard let length = received.getInteger(at: received.readerIndex, as: UInt16.self) else { continue }
                guard received.readableBytes >= Int(length) + 2 else { continue }
                return question.answer(in: Array(received.readableBytesView.dropFirst(2).prefix(Int(length))))
            }
            return nil
        }
    }

    /// - Returns: nil when time was up; what was begun has ended then.
    private static func within<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async -> Value?
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work() }
            group.addTask {
                // Cancelled when the work is done first.
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
