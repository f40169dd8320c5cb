/// The encoding of keys in age: Bech32 (BIP 173) without its limit of 90 characters.
enum Bech32 {
    private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    private static let generator: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
    private static let checksumLength = 6

    /// Decodes a text with this prefix; nil for any other text, and if the checksum is wrong.
    /// - Parameter prefix: In lowercase, without the `1` after it.
    static func decode(_ text: String, prefix: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        // BIP 173 allows uppercase or lowercase, and no mixture.
        guard text == text.lowercased() || text == text.uppercased() else { return nil }
        let lower = Array(text.lowercased().utf8)
        guard lower.count == bytes.count, lower.starts(with: Array((prefix + "1").utf8)) else { return nil }
        var values: [UInt8] = []
        for byte in lower.dropFirst(prefix.utf8.count + 1) {
            guard let value = alphabet.firstIndex(of: byte) else { return nil }
            values.append(UInt8(value))
        }
        guard values.count >= checksumLength, polymod(expanded(prefix) + values) == 1 else { return nil }
        return eightBits(values.dropLast(checksumLength))
    }

    /// Joins groups of five bits to bytes; nil if the bits that are left over aren't zero.
    private static func eightBits(_ values: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (buffer, bits) = (UInt32(0), 0)
        for value in values {
            buffer = (buffer << 5 | UInt32(value)) & 0xFFF
            bits += 5
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(buffer >> UInt32(bits) & 0xFF))
        }
        guard bits < 5, buffer & ((1 << UInt32(bits)) - 1) == 0 else { return nil }
        return bytes
    }

    private static func expanded(_ prefix: String) -> [UInt8] {
        prefix.utf8.map { $0 >> 5 } + [0] + prefix.utf8.map { $0 & 31 }
    }

    private static func polymod(_ values: [UInt8]) -> UInt32 {
        values.reduce(UInt32(1)) { checksum, value in
            let top = checksum >> 25
            let shifted = (checksum & 0x1FF_FFFF) << 5 ^ UInt32(value)
            return (0..<5).reduce(shifted) { top >> UInt32($1) & 1 == 1 ? $0 ^ generator[$1] : $0 }
        }
    }
}
