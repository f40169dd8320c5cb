/// Decodes values from strict JSON.
///
/// Throws ``StrictJSONError`` for the document, `DecodingError` with a coding path for its content. Members nobody asks
/// for are ignored. A number decodes as an integer only when it is exactly one.
package struct StrictJSONDecoder: Sendable {
    private let limits: JSONLimits

    package init(limits: JSONLimits = JSONLimits()) {
        self.limits = limits
    }

    package func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
        try decode(type, from: JSONDocument(bytes, limits: limits).root)
    }

    package func decode<T: Decodable>(_ type: T.Type, from value: JSONValue) throws -> T {
        try T(from: ValueDecoder(value: value, codingPath: []))
    }
}

/// The decoder for one value of a document.
struct ValueDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try require(.object, "an object", [String: Any].self)
        return KeyedDecodingContainer(ObjectContainer(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try require(.array, "an array", [Any].self)
        return ArrayContainer(decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        self
    }

    private func require(_ kind: JSONValue.Kind, _ expected: String, _ type: Any.Type) throws {
        guard value.kind == kind else { throw mismatch(type, expected) }
    }

    /// A null where a value is needed is told apart from a value of another type, as `Decodable` types expect it.
    func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
        if value.isNull {
            return .valueNotFound(
                type, .init(codingPath: codingPath, debugDescription: "expected \(expected), found null"))
        }
        return .typeMismatch(
            type, .init(codingPath: codingPath, debugDescription: "expected \(expected), found \(value.kind)"))
    }
}

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

/// A step of a coding path that no type has a key for.
struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }
}
