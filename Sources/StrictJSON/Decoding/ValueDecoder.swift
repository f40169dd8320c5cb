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
