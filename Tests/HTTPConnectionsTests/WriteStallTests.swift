import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPConnections

@Suite("Clients that do not read")
struct WriteStallTests {
    /// A channel of which nothing is taken until it is flushed: what was written and not flushed is what is left.
    private func makeChannel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: WriteStallHandler(limit: .seconds(30)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func write(_ count: Int, to channel: EmbeddedChannel) {
        channel.write(IOData.byteBuffer(ByteBuffer(repeating: 0, count: count)), promise: nil)
    }

    @Test("A connection whose client reads nothing for thirty seconds ends within forty")
    func stalled() throws {
        let channel = try makeChannel()
        write(10, to: channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(11))
        #expect(!channel.isActive)
    }

    @Test("A connection without unsent bytes has no time limit")
    func taken() throws {
        let channel = try makeChannel()
        write(10, to: channel)
        channel.flush()
        channel.embeddedEventLoop.advanceTime(by: .seconds(3_600))
        #expect(channel.isActive)
        // A later write is guarded again.
        write(10, to: channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(41))
        #expect(!channel.isActive)
    }

    @Test("Bytes that were written are sent before the connection closes")
    func closing() throws {
        let channel = try makeChannel()
        write(10, to: channel)
        let isClosed = channel.close()
        channel.embeddedEventLoop.run()
        try isClosed.wait()
        let sent = try channel.readOutbound(as: IOData.self)
        #expect(sent?.readableBytes == 10)
        #expect(!channel.isActive)
    }
}
