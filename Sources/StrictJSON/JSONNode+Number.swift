extension JSONNode {
    /// Nil for other than a number that is an exact integer of that type.
    func integer<T: FixedWidthInteger>(_ type: T.Type, in bytes: [UInt8]) -> T? {
        guard tag == .number else { return nil }
        guard flag else {
            // Beyond 2⁵³ a floating-point value no longer says which integer was written.
            guard let value = double(in: bytes), abs(value) <= 9_007_199_254_740_992 else { return nil }
            return T(exactly: value)
        }
        var value: T = 0
        var position = Int(start)
        let end = position + Int(count)
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        while position < end {
            let digit = T(truncatingIfNeeded: bytes[position] &- UInt8(ascii: "0"))
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !tooLarge, !overflow else { return nil }
            value = sum
            position += 1
        }
        return value
    }

    /// Nil for other than a number, and for one that is too large for a finite value.
    func double(in bytes: [UInt8]) -> Double? {
        guard tag == .number, let value = Double(number(in: bytes)), value.isFinite else { return nil }
        return value
    }

    /// A number as it is written.
    func number(in bytes: [UInt8]) -> String {
        String(decoding: bytes[Int(start)..<Int(start) + Int(count)], as: UTF8.self)
    }
}
