/// One escape sequence of RFC 8259 §7; a surrogate pair counts as one.
struct JSONEscape {
    /// Bytes it takes in the document.
    let length: Int
    let scalar: Unicode.Scalar

    /// Nil when there is none at `position`, a lone surrogate included.
    init?(in bytes: [UInt8], at position: Int) {
        guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\") else { return nil }
        let value: UInt32
        switch bytes[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): value = UInt32(bytes[position + 1])
        case UInt8(ascii: "b"): value = 0x08
        case UInt8(ascii: "f"): value = 0x0C
        case UInt8(ascii: "n"): value = 0x0A
        case UInt8(ascii: "r"): value = 0x0D
        case UInt8(ascii: "t"): value = 0x09
        case UInt8(ascii: "u"):
            guard let first = Self.unit(in: bytes, at: position) else { return nil }
            if (0xD800...0xDBFF).contains(first) {
                guard let second = Self.unit(in: bytes, at: position + 6), (0xDC00...0xDFFF).contains(second),
                    let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
                else { return nil }
                self.scalar = scalar
                length = 12
                return
            }
            guard let scalar = Unicode.Scalar(first) else { return nil }
            self.scalar = scalar
            length = 6
            return
        default: return nil
        }
        guard let scalar = Unicode.Scalar(value) else { return nil }
        self.scalar = scalar
        length = 2
    }

    /// The value of `\uXXXX`.
    private static func unit(in bytes: [UInt8], at position: Int) -> UInt32? {
        guard position + 6 <= bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { return nil }
        var value: UInt32 = 0
        for offset in 2..<6 {
            let byte = bytes[position + offset]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        return value
    }
}

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
