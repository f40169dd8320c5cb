extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard let bool = value.bool else { throw mismatch(type, "true or false") }
        return bool
    }

    func decode(_ type: String.Type) throws -> String {
        guard let string = value.string else { throw mismatch(type, "a string") }
        return string
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard value.kind == .number else { throw mismatch(type, "a number") }
        guard let double = value.double else { throw outOfRange(type) }
        return double
    }

    func decode(_ type: Float.Type) throws -> Float {
        let float = Float(try decode(Double.self))
        guard float.isFinite else { throw outOfRange(type) }
        return float
    }

    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try T(from: self)
    }

    private func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        guard value.kind == .number else { throw mismatch(type, "an integer") }
        let number = value.int64.flatMap { T(exactly: $0) } ?? value.uint64.flatMap { T(exactly: $0) }
        guard let number else { throw outOfRange(type) }
        return number
    }

    private func outOfRange(_ type: Any.Type) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: "the number is no \(type)"))
    }
}
