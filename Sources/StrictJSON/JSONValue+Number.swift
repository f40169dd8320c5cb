extension JSONValue {
    /// The number when it is an exact integer within range. `1.0` and `1e3` are, `1.5` is not.
    package var int64: Int64? { integer(Int64.self) }

    /// Likewise, up to 2⁶⁴ - 1.
    package var uint64: UInt64? { integer(UInt64.self) }

    /// The number, nil when too large for a finite value.
    package var double: Double? {
        let node = node
        guard node.tag == .number, let value = Double(node.number(in: tape.bytes)), value.isFinite else {
            return nil
        }
        return value
    }

    private func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
        let node = node
        guard node.tag == .number else { return nil }
        guard node.flag else {
            // Beyond 2⁵³ a floating-point value no longer says which integer was written.
            guard let value = double, abs(value) <= 9_007_199_254_740_992 else { return nil }
            return T(exactly: value)
        }
        var value: T = 0
        var position = Int(node.start)
        let end = position + Int(node.count)
        let isNegative = tape.bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        while position < end {
            let digit = T(truncatingIfNeeded: tape.bytes[position] &- UInt8(ascii: "0"))
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !tooLarge, !overflow else { return nil }
            value = sum
            position += 1
        }
        return value
    }
}

extension JSONNode {
    /// A number as it is written.
    func number(in bytes: [UInt8]) -> String {
        String(decoding: bytes[Int(start)..<Int(start) + Int(count)], as: UTF8.self)
    }
}
