import NIOCore

/// One IP address, or all that begin with the same bits.
public struct AddressRange: Hashable, Sendable {
    private let bytes: [UInt8]
    private let bits: Int

    /// - Parameter text: An address of either version, perhaps with a slash and the number of bits: `10.0.0.0/8`,
    ///   `::1`. Nil for anything else.
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

/// An IP address; one of version 4 that is written as version 6 counts as what it is.
struct IPAddress: Hashable {
    /// 4 or 16.
    let bytes: [UInt8]
    let text: String

    init?(_ text: some StringProtocol) {
        // A scope names an interface of this machine, which is nothing to compare.
        guard !text.contains("%"), let address = try? SocketAddress(ipAddress: String(text), port: 0) else {
            return nil
        }
        self.init(address)
    }

    /// Nil for what is no internet address.
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

    /// - Parameter text: As the system writes it: what two colons leave out is zero.
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
