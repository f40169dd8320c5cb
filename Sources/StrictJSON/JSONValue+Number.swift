extension JSONValue {
    /// The number when it is an exact integer within range. `1.0` and `1e3` are, `1.5` is not.
    package var int64: Int64? { node.integer(Int64.self, in: tape.bytes) }

    /// Likewise, up to 2⁶⁴ - 1.
    package var uint64: UInt64? { node.integer(UInt64.self, in: tape.bytes) }

    /// The number, nil when too large for a finite value.
    package var double: Double? { node.double(in: tape.bytes) }
}
