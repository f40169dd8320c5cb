/// Well-formed UTF-8 byte sequences: the table of RFC 3629 §4.
enum UTF8Sequence {
    /// Bytes of the sequence of more than one byte that starts at `position`, or nil when it is ill-formed: overlong, a
    /// surrogate, beyond U+10FFFF, or cut short.
    static func length(in bytes: [UInt8], at position: Int) -> Int? {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[position] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: length = 3
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard position + length <= bytes.count, second.contains(bytes[position + 1]) else { return nil }
        for offset in 2..<max(2, length) where bytes[position + offset] & 0xC0 != 0x80 {
            return nil
        }
        return length
    }
}
