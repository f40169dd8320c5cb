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
