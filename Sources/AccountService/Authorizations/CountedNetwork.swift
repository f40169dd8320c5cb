/// What counts as one caller where calls are counted: an address of version 4, or the first 64 bits of one of version
/// 6, because whoever has one such address has all of them (RFC 4291 §2.5.4, RFC 6177).
public struct CountedNetwork: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// - Parameter address: what is no address of version 6 counts as it is written; an IPv4-mapped one (RFC 4291
    ///   §2.5.5.2) counts as the address of version 4.
    public init(of address: String) {
        guard address.utf8.contains(UInt8(ascii: ":")), let groups = Self.groups(address) else {
            self.init(rawValue: address)
            return
        }
        if groups[..<5].allSatisfy({ $0 == 0 }), groups[5] == 0xFFFF {
            let bytes = groups[6...].flatMap { [$0 >> 8, $0 & 0xFF] }
            self.init(rawValue: bytes.map { String($0) }.joined(separator: "."))
        } else {
            let network = groups[..<4].map { String($0, radix: 16) }.joined(separator: ":")
            self.init(rawValue: network + "::/64")
        }
    }

    /// The eight groups of an address of version 6 in any form of RFC 4291 §2.2, with or without a zone.
    private static func groups(_ address: String) -> [UInt16]? {
        let text = address.prefix { $0 != "%" }
        guard let gap = text.firstRange(of: "::") else {
            return groups(list: text).flatMap { $0.count == 8 ? $0 : nil }
        }
        guard let head = groups(list: text[..<gap.lowerBound]), let tail = groups(list: text[gap.upperBound...]),
            head.count + tail.count < 8
        else { return nil }
        return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func groups(list: Substring) -> [UInt16]? {
        guard !list.isEmpty else { return [] }
        let parts = list.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                let bytes = part.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
                guard bytes.count == 4 else { return nil }
                groups += [UInt16(bytes[0]) << 8 | UInt16(bytes[1]), UInt16(bytes[2]) << 8 | UInt16(bytes[3])]
            } else {
                guard part.utf8.count <= 4, let group = UInt16(part, radix: 16) else { return nil }
                groups.append(group)
            }
        }
        return groups
    }
}
