package import HummingbirdCore
package import NIOCore
import TaskSignals

/// Counts a server's connections, in all and by network, and refuses those that are too many.
///
/// When all connections are in use, the server accepts no more: further clients wait in the system's queue until a
/// connection ends. When a network has too many, its next connection is closed as soon as it is accepted.
package final class ConnectionCount: Sendable {
    private struct State {
        var all = 0
        var byNetwork: [Network: Int] = [:]
        var refused = 0
        var toldAt: ContinuousClock.Instant?
    }

    package let maximum: Int
    private let perNetwork: Int
    private let isExempt: @Sendable (SocketAddress) -> Bool
    private let state = Lock(State())

    /// - Parameters:
    ///   - maximum: the maximum number of connections.
    ///   - perNetwork: the maximum number of connections from one network.
    ///   - isExempt: whether an address may have any number, as a proxy that all clients come through.
    package init(
        maximum: Int, perNetwork: Int, isExempt: @escaping @Sendable (SocketAddress) -> Bool = { _ in false }
    ) {
        self.maximum = maximum
        self.perNetwork = perNetwork
        self.isExempt = isExempt
    }

    /// The delegate that the server asks before it accepts a connection.
    package var delegate: some AvailableConnectionsDelegate { Delegate(count: self) }

    /// The number of open connections.
    package var open: Int { state.withLock(\.all) }

    /// Counts a connection that was accepted, unless its network has too many.
    func admit(_ address: SocketAddress?) -> Admission {
        guard perNetwork < maximum, let address, let network = Network(address), !isExempt(address) else {
            return .admitted(nil)
        }
        return state.withLock { state in
            let count = state.byNetwork[network, default: 0]
            guard count < perNetwork else {
                state.refused += 1
                let now = ContinuousClock.now
                if let last = state.toldAt, now - last < Self.logInterval { return .refused(untold: nil) }
                state.toldAt = now
                defer { state.refused = 0 }
                return .refused(untold: state.refused)
            }
            state.byNetwork[network] = count + 1
            return .admitted(network)
        }
    }

    func leave(_ network: Network) {
        state.withLock { state in
            guard let count = state.byNetwork[network] else { return }
            state.byNetwork[network] = count > 1 ? count - 1 : nil
        }
    }

    /// The minimum time between two log lines about refusals. A line for each refusal could fill a disk.
    private static let logInterval = Duration.seconds(60)

    enum Admission: Hashable {
        /// The connection is taken. The value is the network to leave when it ends, or nil if it counts for none.
        case admitted(Network?)
        /// The connection is refused. The value is the number of refusals that the log doesn't have yet, or nil if the log
        /// got them a moment ago.
        case refused(untold: Int?)
    }

    private struct Delegate: AvailableConnectionsDelegate {
        let count: ConnectionCount

        mutating func connectionOpened() { count.state.withLock { $0.all += 1 } }

        mutating func connectionClosed() { count.state.withLock { $0.all -= 1 } }

        func isAcceptingNewConnections() -> Bool { count.state.withLock { $0.all < count.maximum } }
    }
}

/// The network that counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address.
enum Network: Hashable {
    case version4(UInt32)
    case version6(UInt64)

    /// Nil for an address that isn't an internet address.
    init?(_ address: SocketAddress) {
        // Every system has an IPv4 address in four bytes from the fourth on, and an IPv6 address from the eighth on.
        let bytes = unsafe address.withSockAddr { pointer, size in
            unsafe Array(UnsafeRawBufferPointer(start: pointer, count: size))
        }
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        switch address.protocol {
        case .inet:
            self = .version4(UInt32(number(4..<8)))
        case .inet6:
            let (high, low) = (number(8..<16), number(16..<24))
            // An IPv4 client of a socket that serves both versions.
            self = high == 0 && low >> 32 == 0xFFFF ? .version4(UInt32(low & 0xFFFF_FFFF)) : .version6(high)
        default: return nil
        }
    }
}
