/// Comparison whose time says nothing about where two values differ.
enum ConstantTime {
    /// False when either is empty: an absent value never equals an absent value.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count, !left.isEmpty else { return false }
        var difference: UInt8 = 0
        for index in left.indices {
            difference |= left[index] ^ right[index]
        }
        return difference == 0
    }
}
