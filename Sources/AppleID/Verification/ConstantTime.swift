/// Comparison whose time says nothing about where two values differ.
enum ConstantTime {
    /// False when either is empty: an absent value never equals an absent value.
    static func areEqual(_ text: String, _ bytes: [UInt8]) -> Bool {
        let utf8 = text.utf8
        guard utf8.count == bytes.count, !bytes.isEmpty else { return false }
        var difference: UInt8 = 0
        var index = 0
        for byte in utf8 {
            difference |= byte ^ bytes[index]
            index += 1
        }
        return difference == 0
    }

    /// Whether a text is these bytes in lowercase hexadecimal, as clients write hashed nonces. False without bytes.
    static func areEqual(_ text: String, hexadecimal bytes: some Sequence<UInt8>) -> Bool {
        var characters = text.utf8.makeIterator()
        var difference: UInt8 = 0
        var isEmpty = true
        for byte in bytes {
            isEmpty = false
            guard let high = characters.next(), let low = characters.next() else { return false }
            difference |= high ^ digit(byte >> 4) | low ^ digit(byte & 15)
        }
        return difference == 0 && !isEmpty && characters.next() == nil
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
}
