/// An identifier of ours: a prefix that says of what, and 128 bits that sort by time. Opaque to everyone else.
///
/// The bits are 48 of milliseconds since 1970 and 80 of randomness, written as 26 characters of Crockford's base 32 in
/// lower case, so that rows written one after another lie beside each other in an index.
public protocol ResourceID: RawRepresentable<String>, Hashable, Sendable, CustomStringConvertible {
    static var prefix: String { get }
    init(rawValue: String)
}

extension ResourceID {
    public var description: String { rawValue }

    /// A new identifier.
    /// - Parameter randomness: ten bytes from a cryptographic source.
    package init(at moment: Timestamp, randomness: [UInt8]) {
        precondition(randomness.count == 10)
        let milliseconds = UInt64(max(0, moment.microseconds / 1_000))
        var bytes = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * $0)) }
        bytes += randomness
        self.init(rawValue: Self.prefix + Base32.encode(bytes))
    }

    /// What a client sent as such an identifier, or nil when it cannot be one: so nothing unchecked reaches a
    /// statement.
    package init?(received text: some StringProtocol) {
        guard text.utf8.count == Self.prefix.utf8.count + 26, text.hasPrefix(Self.prefix) else { return nil }
        guard text.utf8.dropFirst(Self.prefix.utf8.count).allSatisfy(Base32.isDigit) else { return nil }
        self.init(rawValue: String(text))
    }
}

/// Crockford's base 32 in lower case, most significant bits first, without padding.
enum Base32 {
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity((bytes.count * 8 + 4) / 5)
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                digits.append(alphabet[Int(buffer >> UInt32(bits) & 31)])
            }
            buffer &= (1 << UInt32(bits)) - 1
        }
        if bits > 0 {
            digits.append(alphabet[Int(buffer << UInt32(5 - bits) & 31)])
        }
        return String(decoding: digits, as: UTF8.self)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        alphabet.contains(byte)
    }
}
