/// An object, as far as it has been written.
struct JSONMemberWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { output.path }
    private let output: JSONOutput
    private let depth: Int
    private var isEmpty = true

    init(output: JSONOutput) {
        self.output = output
        depth = output.begin(UInt8(ascii: "{"), closing: UInt8(ascii: "}"))
    }

    private mutating func begin(_ name: some CodingKey) {
        output.separate(depth, isFirst: isEmpty)
        isEmpty = false
        output.writeName(name.stringValue)
    }

    mutating func encodeNil(forKey key: Key) {
        begin(key)
        output.writeNull()
    }

    mutating func encode(_ value: Bool, forKey key: Key) {
        begin(key)
        output.write(value)
    }

    mutating func encode(_ value: String, forKey key: Key) {
        begin(key)
        output.write(value)
    }

    mutating func encode(_ value: Double, forKey key: Key) throws {
        begin(key)
        try output.write(value, for: key)
    }

    mutating func encode(_ value: Float, forKey key: Key) throws {
        begin(key)
        try output.write(value, for: key)
    }

    private mutating func write(_ value: some BinaryInteger, forKey key: Key) {
        begin(key)
        output.write(value)
    }

    mutating func encode(_ value: Int, forKey key: Key) { write(value, forKey: key) }
    mutating func encode(_ value: Int8, forKey key: Key) { write(value, forKey: key) }
    mutating func encode(_ value: Int16, forKey key: Key) { write(value, forKey: key) }
    mutating func encode(_ value: Int32, forKey key: Key) { write(value, forKey: key) }
    mutating func encode(_ value: Int64, forKey key: Key) { write(value, forKey: key) }
    mutating func encode(_ value: UInt, forKey key: Key) { write(value, forKey: key) }
    mutating func encode(_ value: UInt8, forKey key: Key) { write(value, forKey: key) }
    mutating func encode(_ value: UInt16, forKey key: Key) { write(value, forKey: key) }
    mutating func encode(_ value: UInt32, forKey key: Key) { write(value, forKey: key) }
    mutating func encode(_ value: UInt64, forKey key: Key) { write(value, forKey: key) }

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        begin(key)
        try output.write(value, for: key)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        begin(key)
        return KeyedEncodingContainer(JSONMemberWriter<NestedKey>(output: output))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        begin(key)
        return JSONElementWriter(output: output)
    }

    mutating func superEncoder() -> any Encoder { superEncoder(named: JSONKey(stringValue: "super")) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { superEncoder(named: key) }

    private mutating func superEncoder(named key: some CodingKey) -> any Encoder {
        begin(key)
        return JSONTextEncoder(output: output)
    }
}

/// An array, as far as it has been written.
struct JSONElementWriter: UnkeyedEncodingContainer {
    var codingPath: [any CodingKey] { output.path }
    private(set) var count = 0
    private let output: JSONOutput
    private let depth: Int

    init(output: JSONOutput) {
        self.output = output
        depth = output.begin(UInt8(ascii: "["), closing: UInt8(ascii: "]"))
    }

    private mutating func begin() {
        output.separate(depth, isFirst: count == 0)
        count += 1
    }

    mutating func encodeNil() throws {
        begin()
        output.writeNull()
    }

    mutating func encode(_ value: some Encodable) throws {
        begin()
        try output.write(value, for: JSONKey(intValue: count - 1))
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        begin()
        return KeyedEncodingContainer(JSONMemberWriter<NestedKey>(output: output))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        begin()
        return JSONElementWriter(output: output)
    }

    mutating func superEncoder() -> any Encoder {
        begin()
        return JSONTextEncoder(output: output)
    }
}
