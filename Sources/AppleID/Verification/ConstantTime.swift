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
}
