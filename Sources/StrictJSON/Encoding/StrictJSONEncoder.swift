/// Writes values as JSON (RFC 8259): no white space, members in the order in which they are encoded, no character
/// escaped but those that have to be. One value always has one text, unless there is a dictionary in it.
///
/// A value has one container, as in code that the compiler derives. Several containers of one value aren't merged.
/// Dates, URLs and data are written as they encode themselves.
///
/// The encoder writes at once and keeps only the text. So a container inside another one is closed when the outer one
/// is written to again. Derived code, and code like it, never writes to a closed container.
package struct StrictJSONEncoder: Sendable {
    package init() {}

    /// - Throws: `EncodingError` for a number that JSON doesn't have and for a value that encodes nothing; and the
    ///   errors of the value itself.
    package func encode(_ value: some Encodable) throws -> [UInt8] {
        let output = JSONOutput()
        try output.write(value)
        return output.finish()
    }
}

/// The encoder that a value encodes itself with, at the place that the output has reached.
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

/// The text so far, and which containers are open in it. One encoding uses it, on one thread, and lets it go.
final class JSONOutput {
    private var text = JSONText()
    /// The place of the value that is being encoded. Kept here, once, because an array for each value would cost more
    /// than writing the value does.
    private(set) var path: [any CodingKey] = []
    /// The closing characters of the containers that are open, the innermost last.
    private var open: [UInt8] = []

    func finish() -> [UInt8] {
        close(downTo: 0)
        return text.bytes
    }

    // MARK: Containers

    /// - Returns: how many are open now, by which the container is known in ``separate(_:isFirst:)``.
    func begin(_ opening: UInt8, closing: UInt8) -> Int {
        text.append(opening)
        open.append(closing)
        return open.count
    }

    /// Makes a container the innermost, and puts a comma unless this is its first element.
    func separate(_ depth: Int, isFirst: Bool) {
        precondition(open.count >= depth, "a container was written to after the one around it")
        close(downTo: depth)
        if !isFirst { text.append(UInt8(ascii: ",")) }
    }

    private func close(downTo depth: Int) {
        while open.count > depth { text.append(open.removeLast()) }
    }

    func writeName(_ name: String) {
        text.write(name)
        text.append(UInt8(ascii: ":"))
    }

    // MARK: Values

    /// - Parameter key: by which the value is known in the container around it; nil where that is known already.
    func write(_ value: some Encodable, for key: (any CodingKey)? = nil) throws {
        if let key { path.append(key) }
        defer { if key != nil { path.removeLast() } }
        let (depth, count) = (open.count, text.bytes.count)
        try value.encode(to: JSONTextEncoder(output: self))
        close(downTo: depth)
        guard text.bytes.count > count else { throw invalid(value, "The value encodes nothing.") }
    }

    func writeNull() { text.writeNull() }

    func write(_ flag: Bool) { text.write(flag) }

    func write(_ number: some BinaryInteger) { text.write(number) }

    func write(_ number: some BinaryFloatingPoint & CustomStringConvertible, for key: (any CodingKey)? = nil) throws {
        guard number.isFinite else {
            throw invalid(number, "JSON has no such number.", at: key)
        }
        text.write(number)
    }

    func write(_ text: String) { self.text.write(text) }

    private func invalid(_ value: Any, _ reason: String, at key: (any CodingKey)? = nil) -> EncodingError {
        let place = key.map { path + [$0] } ?? path
        return .invalidValue(value, EncodingError.Context(codingPath: place, debugDescription: reason))
    }
}
