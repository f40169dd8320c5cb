import AccountService
import HTTPTypes
import Hummingbird

/// Finds out where a request comes from.
///
/// `X-Forwarded-For` is anybody's text: each proxy adds the address that it sees at the end. So it is read from the
/// end, and only as far as the proxies are our own.
struct ClientAddress: Sendable {
    let trustedProxies: [AddressRange]

    /// Who sends a request, for the audit and for what is counted by address.
    /// - Parameter device: as the client calls itself; nil looks at what a browser tells of itself.
    func caller(of request: Request, _ context: some PeerContext, device: DeviceName? = nil) -> Caller {
        Caller(
            address: text(of: request, context),
            device: device ?? request.headers[.userAgent].flatMap { DeviceName(userAgent: $0) })
    }

    func text(of request: Request, _ context: some PeerContext) -> String {
        if trustedProxies.isEmpty, case .v4 = context.peer, let address = context.peer?.ipAddress { return address }
        guard let peer = context.peer.flatMap({ IPAddress($0) }) else { return "unknown" }
        let forwarded = request.headers[values: .forwardedFor].flatMap { $0.split(separator: ",") }
        return address(peer: peer, forwarded: forwarded).text
    }

    func address(peer: IPAddress, forwarded: [Substring]) -> IPAddress {
        var address = peer
        for entry in forwarded.reversed() where isTrusted(address) {
            guard let next = IPAddress(entry.filter { !$0.isWhitespace }) else { break }
            address = next
        }
        return address
    }

    private func isTrusted(_ address: IPAddress) -> Bool {
        trustedProxies.contains { $0.contains(address) }
    }
}
