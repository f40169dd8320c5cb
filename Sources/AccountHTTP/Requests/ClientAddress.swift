import AccountService
import HTTPTypes
import Hummingbird
import Synchronization

/// The proxies whose `X-Forwarded-For` a running server believes. An operator can change them while it runs.
public final class TrustedProxies: Sendable {
    private let ranges: Mutex<[AddressRange]>

    /// Believes these, and nobody for an empty list.
    public init(_ ranges: [AddressRange]) {
        self.ranges = Mutex(ranges)
    }

    /// The proxies that count for the next request.
    public var current: [AddressRange] { ranges.withLock { $0 } }

    /// Believes other proxies from the next request on.
    public func replace(with ranges: [AddressRange]) {
        self.ranges.withLock { $0 = ranges }
    }
}

/// Finds out where a request comes from.
///
/// `X-Forwarded-For` is anybody's text: each proxy adds the address that it sees at the end. So it is read from the
/// end, and only as far as the proxies are our own.
struct ClientAddress: Sendable {
    /// The text for a request that has no peer, as in a test without a connection.
    static let unknown = "unknown"

    private let proxies: TrustedProxies

    init(trustedProxies: [AddressRange]) {
        self.init(proxies: TrustedProxies(trustedProxies))
    }

    init(proxies: TrustedProxies) {
        self.proxies = proxies
    }

    /// Who sends a request, for the audit and for what is counted by address.
    /// - Parameter device: as the client calls itself; nil looks at what a browser tells of itself.
    func caller(of request: Request, _ context: some PeerContext, device: DeviceName? = nil) -> Caller {
        Caller(
            address: text(of: request, context),
            device: device ?? request.headers[.userAgent].flatMap { DeviceName(userAgent: $0) })
    }

    func text(of request: Request, _ context: some PeerContext) -> String {
        let trustedProxies = proxies.current
        if trustedProxies.isEmpty, case .v4 = context.peer, let address = context.peer?.ipAddress { return address }
        guard let peer = context.peer.flatMap({ IPAddress($0) }) else { return Self.unknown }
        let forwarded = request.headers[values: .forwardedFor].flatMap { $0.split(separator: ",") }
        return Self.address(peer: peer, forwarded: forwarded, trusting: trustedProxies).text
    }

    func address(peer: IPAddress, forwarded: [Substring]) -> IPAddress {
        Self.address(peer: peer, forwarded: forwarded, trusting: proxies.current)
    }

    private static func address(
        peer: IPAddress, forwarded: [Substring], trusting proxies: [AddressRange]
    ) -> IPAddress {
        var address = peer
        for entry in forwarded.reversed() where proxies.contains(where: { $0.contains(address) }) {
            guard let next = IPAddress(entry.filter { !$0.isWhitespace }) else { break }
            address = next
        }
        return address
    }
}
