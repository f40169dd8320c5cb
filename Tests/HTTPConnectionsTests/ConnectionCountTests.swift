import HummingbirdCore
import NIOCore
import Testing

@testable import HTTPConnections

@Suite("Bounds on connections")
struct ConnectionCountTests {
    private func address(_ text: String) throws -> SocketAddress { try SocketAddress(ipAddress: text, port: 1) }

    @Test(
        "The shares follow from the number of files that the process can open",
        arguments: [
            // openFiles, all, perAddress, streams, beside a management address
            (256, 128, 32, 64, 112), (1_024, 896, 224, 448, 880), (20_000, 10_000, 2_500, 5_000, 9_984),
            (1_073_741_816, 10_000, 2_500, 5_000, 9_984), (192, 64, 16, 32, 48), (129, 1, 1, 1, 1), (16, 1, 1, 1, 1),
        ])
    func shares(openFiles: Int, all: Int, perAddress: Int, streams: Int, besideManagement: Int) {
        let shares = ConnectionShares(openFiles: openFiles)
        #expect(shares.all == all)
        #expect(shares.perAddress == perAddress)
        #expect(shares.streams == streams)
        #expect(shares.besideManagement == besideManagement)
    }

    @Test("An operator can set more or fewer, up to the system's limit")
    func asked() {
        #expect(ConnectionShares(openFiles: 100_000, maximum: 50_000).all == 50_000)
        #expect(ConnectionShares(openFiles: 100_000, maximum: 40).perAddress == 10)
        #expect(ConnectionShares(openFiles: 1_024, maximum: 50_000).all == 896)
        #expect(ConnectionShares(openFiles: 1_024, perAddress: 0).perAddress == 896)
        #expect(ConnectionShares(openFiles: 1_024, perAddress: 7).perAddress == 7)
        #expect(ConnectionShares(openFiles: 1_024, perAddress: 5_000).perAddress == 896)
    }

    @Test("The process raises its soft limit of open files to the hard limit")
    func openFiles() throws {
        let before = try #require(OpenFiles.raise())
        let after = try #require(OpenFiles.limits)
        #expect(after.soft >= before.soft)
        #expect(after.soft <= after.hard)
        #if os(Linux)
            #expect(after.soft == before.hard)
        #endif
    }

    @Test("A network at its limit gets no more connections, until one of them ends")
    func perNetwork() throws {
        let count = ConnectionCount(maximum: 100, perNetwork: 2)
        let one = try address("192.0.2.1")
        guard case .admitted(let network?) = count.admit(one) else {
            Issue.record("The first connection is not admitted.")
            return
        }
        #expect(count.admit(one) == .admitted(network))
        #expect(count.admit(one) == .refused(untold: 1))
        #expect(count.admit(try address("192.0.2.2")) != .refused(untold: nil))
        count.leave(network)
        #expect(count.admit(one) == .admitted(network))
        // The log has been told a moment ago.
        #expect(count.admit(one) == .refused(untold: nil))
    }

    @Test("The first 64 bits of an IPv6 address are its network, and IPv4 written as IPv6 counts as IPv4")
    func networks() throws {
        #expect(Network(try address("2001:db8::1")) == Network(try address("2001:db8::2:3")))
        #expect(Network(try address("2001:db8::1")) != Network(try address("2001:db8:0:1::1")))
        #expect(Network(try address("::ffff:192.0.2.1")) == Network(try address("192.0.2.1")))
        #expect(Network(try address("::ffff:192.0.2.1")) != Network(try address("192.0.2.2")))
        #expect(Network(try address("::1")) != Network(try address("::ffff:0.0.0.1")))
        #expect(Network(try SocketAddress(unixDomainSocketPath: "/x")) == nil)
    }

    @Test("An exempt address may have any number")
    func exempt() throws {
        let proxy = try address("192.0.2.1")
        let count = ConnectionCount(maximum: 100, perNetwork: 1) { $0 == proxy }
        for _ in 0..<10 { #expect(count.admit(proxy) == .admitted(nil)) }
    }

    @Test("At the limit for all networks no connection is accepted, until one ends")
    func inAll() {
        let count = ConnectionCount(maximum: 2, perNetwork: 2)
        var delegate = count.delegate
        delegate.connectionOpened()
        #expect(delegate.isAcceptingNewConnections())
        delegate.connectionOpened()
        #expect(!delegate.isAcceptingNewConnections())
        #expect(count.open == 2)
        delegate.connectionClosed()
        #expect(delegate.isAcceptingNewConnections())
    }
}
