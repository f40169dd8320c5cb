/// JSON as it is written, token by token (RFC 8259): no white space, no character escaped but those that have to be.
///
/// The writer is trusted with the grammar: it writes members only inside ``object(_:)``, and no name twice.
package struct JSONText: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {
        bytes.reserveCapacity(1_024)
    }

    /// Returns a value as a text of its own.
    package static func bytes(of value: some JSONWritable) -> [UInt8] {
        var text = Self()
        value.write(to: &text)
        return text.bytes
    }

    /// - Parameter members: writes them, one after the other.
    package mutating func object(_ members: (inout Self) -> Void) {
        append(UInt8(ascii: "{"))
        members(&self)
        append(UInt8(ascii: "}"))
    }

    package mutating func member(_ name: String, _ text: String?) {
        begin(name)
        if let text { write(text) } else { writeNull() }
    }

    package mutating func member(_ name: String, _ number: (some BinaryInteger)?) {
        begin(name)
        if let number { write(number) } else { writeNull() }
    }

    package mutating func member(_ name: String, _ flag: Bool) {
        begin(name)
        write(flag)
    }

    package mutating func member(_ name: String, _ value: (some JSONWritable)?) {
        begin(name)
        if let value { value.write(to: &self) } else { writeNull() }
    }

    package mutating func member(_ name: String, _ texts: [String]) {
        begin(name)
        append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            write(text)
        }
        append(UInt8(ascii: "]"))
    }

    private mutating func begin(_ name: String) {
        // Every value ends with another byte, a text with a quotation mark.
        if bytes.last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
        write(name)
        append(UInt8(ascii: ":"))
    }

    // MARK: Tokens

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func writeNull() { bytes += "null".utf8 }

    mutating func write(_ flag: Bool) { bytes += flag ? "true".utf8 : "false".utf8 }

    mutating func write(_ number: some BinaryInteger) { bytes += String(number).utf8 }

    /// - Parameter number: finite; JSON has no other.
    mutating func write(_ number: some BinaryFloatingPoint & CustomStringConvertible) {
        bytes += number.description.utf8
    }

    mutating func write(_ text: String) {
        append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        if hasEscaped(from: start) {
            bytes.removeSubrange(start...)
            text.utf8.forEach { appendEscaped($0) }
        }
        append(UInt8(ascii: "\""))
    }

    private func hasEscaped(from start: Int) -> Bool {
        bytes.withSpan { bytes in
            for index in start..<bytes.count where Self.isEscaped(bytes[index]) { return true }
            return false
        }
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        guard Self.isEscaped(byte) else {
            bytes.append(byte)
            return
        }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x20...: bytes.append(byte)
        default:
            bytes += "u00".utf8
            for digit in [byte >> 4, byte & 15] {
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
    }
}

/// A value that writes itself as JSON, without what `Encodable` costs: for the few that nearly every answer is made of.
package protocol JSONWritable {
    /// Writes one value, the same that encoding it gives.
    func write(to text: inout JSONText)
}
