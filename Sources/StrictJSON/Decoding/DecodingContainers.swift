/// The members of an object, for types that decode by key.
struct ObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        decoder.value.members.compactMap { Key(stringValue: $0.name) }
    }

    func contains(_ key: Key) -> Bool {
        decoder.value[key.stringValue] != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        try member(key).decodeNil()
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try T(from: member(key))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        try member(JSONKey(stringValue: "super"))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try member(key)
    }

    private func member(_ key: some CodingKey) throws -> ValueDecoder {
        guard let value = decoder.value[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "there is no member \(key.stringValue)"))
        }
        return ValueDecoder(value: value, codingPath: codingPath + [key])
    }
}

/// The elements of an array, one after the other.
struct ArrayContainer: UnkeyedDecodingContainer {
    let codingPath: [any CodingKey]
    let count: Int?
    private(set) var currentIndex = 0
    private var current: JSONValue?
    private var rest: JSONElements

    init(decoder: ValueDecoder) {
        codingPath = decoder.codingPath
        count = decoder.value.count
        rest = decoder.value.elements
        current = rest.next()
    }

    var isAtEnd: Bool { current == nil }

    mutating func decodeNil() throws -> Bool {
        guard try element(Any?.self).value.isNull else { return false }
        advance()
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try T(from: element(type))
        advance()
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try element([String: Any].self).container(keyedBy: type)
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try element([Any].self).unkeyedContainer()
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try element((any Decoder).self)
        advance()
        return decoder
    }

    private func element(_ type: Any.Type) throws -> ValueDecoder {
        let path = codingPath + [JSONKey(intValue: currentIndex)]
        guard let current else {
            throw DecodingError.valueNotFound(
                type, .init(codingPath: path, debugDescription: "the array has only \(currentIndex) elements"))
        }
        return ValueDecoder(value: current, codingPath: path)
    }

    private mutating func advance() {
        current = rest.next()
        currentIndex += 1
    }
}
