extension UInt8 {
    /// The byte as two lowercase hexadecimal digits.
    package var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}

extension Sequence<UInt8> {
    /// The bytes as lowercase hexadecimal digits, two for each byte.
    package var hexadecimal: String { map(\.hexadecimal).joined() }
}

extension [UInt8] {
    /// Reads hexadecimal digits of either case, two for each byte; nil for any other text.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
