/// What a value is given to encode itself with: at the place that the output has reached.
struct JSONTextEncoder: Encoder {
    let output: JSONOutput
    var codingPath: [any CodingKey] { output.path }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONMemberWriter<Key>(output: output))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONElementWriter(output: output)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONTextEncoder: SingleValueEncodingContainer {
    func encodeNil() { output.writeNull() }
    func encode(_ value: Bool) { output.write(value) }
    func encode(_ value: String) { output.write(value) }
    func encode(_ value: Double) throws { try output.write(value) }
    func encode(_ value: Float) throws { try output.write(value) }
    func encode(_ value: Int) { output.write(value) }
    func encode(_ value: Int8) { output.write(value) }
    func encode(_ value: Int16) { output.write(value) }
    func encode(_ value: Int32) { output.write(value) }
    func encode(_ value: Int64) { output.write(value) }
    func encode(_ value: UInt) { output.write(value) }
    func encode(_ value: UInt8) { output.write(value) }
    func encode(_ value: UInt16) { output.write(value) }
    func encode(_ value: UInt32) { output.write(value) }
    func encode(_ value: UInt64) { output.write(value) }
    func encode(_ value: some Encodable) throws { try output.write(value) }
}
