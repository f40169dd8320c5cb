import AccountService
import HTTPTypes
import Hummingbird
import NIOCore
import TaskSignals

/// The proxies whose `X-Forwarded-For` a running server believes. An operator can change them while it runs.
public final class TrustedProxies: Sendable {
    private let ranges: Lock<[AddressRange]>

    /// Makes a list of proxies. If the list is empty, the server believes no proxy.
    public init(_ ranges: [AddressRange]) {
        self.ranges = Lock(ranges)
    }

    /// The proxies that the server believes at the next request.
    public var current: [AddressRange] { ranges.withLock { $0 } }

    /// Replaces the proxies from the next request on.
    public func replace(with ranges: [AddressRange]) {
        self.ranges.withLock { $0 = ranges }
    }
}

/// Finds out who sends a request, and from which address.
///
/// `X-Forwarded-For` is anybody's text: each proxy adds the address that it sees at the end. So it is read from the
/// end, and only as far as the proxies are our own.
struct CallerReader: Sendable {
    /// The text for a request that has no peer, as in a test without a connection.
    static let unknown = "unknown"

    private let proxies: TrustedProxies

    init(trustedProxies: [AddressRange]) {
        self.init(proxies: TrustedProxies(trustedProxies))
    }

    init(proxies: TrustedProxies) {
        self.proxies = proxies
    }

    /// Returns the sender of a request, for the audit, for all that is counted by address, and for the languages of mails.
    /// - Parameter deviceName: The name that an app gives its device, before it is cleaned. If it is nil or has nothing to
    ///   show, the device is what a browser tells of itself.
    func caller(of request: Request, _ context: some PeerContext, deviceName: String? = nil) -> Caller {
        Caller(
            address: address(of: request, context),
            device: deviceName.flatMap { DeviceName(cleaning: $0) }
                ?? request.headers[.userAgent].flatMap { DeviceName(userAgent: $0) },
            languages: request.acceptedLanguages)
    }

    /// Returns the address that a request comes from, or ``unknown``.
    func address(of request: Request, _ context: some PeerContext) -> String {
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
            guard let next = IPAddress(forwarded: entry) else { break }
            address = next
        }
        return address
    }
}

/// An IP address, or a range of addresses that begin with the same bits.
public struct AddressRange: Hashable, Sendable {
    private let bytes: [UInt8]
    private let bits: Int

    /// Reads an address or a range. Nil for any other text.
    /// - Parameter text: An IPv4 or IPv6 address, perhaps with a slash and the number of bits: `10.0.0.0/8`, `::1`.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]) else { return nil }
        bytes = address.bytes
        if parts.count == 2 {
            guard let bits = Int(parts[1]), (0...bytes.count * 8).contains(bits), parts[1].allSatisfy(\.isNumber) else {
                return nil
            }
            self.bits = bits
        } else {
            bits = bytes.count * 8
        }
    }

    func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == bytes.count else { return false }
        let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
        guard bytes[..<whole] == address.bytes[..<whole] else { return false }
        return rest == 0 || bytes[whole] >> (8 - rest) == address.bytes[whole] >> (8 - rest)
    }
}

/// An IP address. An IPv4 address that is written as IPv6 counts as IPv4.
struct IPAddress: Hashable {
    /// 4 or 16.
    let bytes: [UInt8]
    let text: String

    /// Reads an entry of `X-Forwarded-For`. Some proxies add the port: `192.0.2.1:443`, `[2001:db8::1]:443`.
    init?(forwarded entry: some StringProtocol) {
        let text = String(entry.filter { !$0.isWhitespace })
        if text.hasPrefix("[") {
            self.init(text.dropFirst().prefix { $0 != "]" })
        } else if text.contains("."), text.count(where: { $0 == ":" }) == 1 {
            self.init(text.prefix { $0 != ":" })
        } else {
            self.init(text)
        }
    }

    init?(_ text: some StringProtocol) {
        // A scope names an interface of this machine, which is nothing to compare.
        guard !text.contains("%"), let address = try? SocketAddress(ipAddress: String(text), port: 0) else {
            return nil
        }
        self.init(address)
    }

    /// Nil for an address that isn't an internet address.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress?.prefix(while: { $0 != "%" }) else { return nil }
        let bytes = text.contains(":") ? Self.bytes(ofVersion6: text) : Self.bytes(ofVersion4: text)
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        if bytes.count == 16, Array(bytes[..<12]) == mapped {
            self.bytes = Array(bytes[12...])
            self.text = bytes[12...].map { "\($0)" }.joined(separator: ".")
        } else {
            self.bytes = bytes
            self.text = String(text)
        }
    }

    private static func bytes(ofVersion4 text: Substring) -> [UInt8] {
        text.split(separator: ".").compactMap { UInt8($0) }
    }

    /// - Parameter text: The address as the system writes it. The part that two colons leave out is zero.
    private static func bytes(ofVersion6 text: Substring) -> [UInt8] {
        func words(_ text: Substring) -> [UInt8] {
            text.split(separator: ":").flatMap { word -> [UInt8] in
                if word.contains(".") { return bytes(ofVersion4: word) }
                let number = UInt16(word, radix: 16) ?? 0
                return [UInt8(number >> 8), UInt8(number & 0xFF)]
            }
        }
        guard let gap = text.firstRange(of: "::") else { return words(text) }
        let (head, tail) = (words(text[..<gap.lowerBound]), words(text[gap.upperBound...]))
        return head + Array(repeating: 0, count: max(0, 16 - head.count - tail.count)) + tail
    }
}
