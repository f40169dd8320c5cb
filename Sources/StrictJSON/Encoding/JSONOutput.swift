/// The text so far, and which containers are open in it. One encoding uses it, on one thread, and lets it go.
final class JSONOutput {
    private(set) var bytes: [UInt8] = []
    /// Where the value stands that is being encoded. Kept here, once, because an array for each value would cost more
    /// than writing the value does.
    private(set) var path: [any CodingKey] = []
    /// The closing characters of the containers that are open, the innermost last.
    private var open: [UInt8] = []

    init() {
        bytes.reserveCapacity(1_024)
    }

    func finish() -> [UInt8] {
        close(downTo: 0)
        return bytes
    }

    // MARK: Containers

    /// - Returns: how many are open now, by which the container is known in ``separate(_:isFirst:)``.
    func begin(_ opening: UInt8, closing: UInt8) -> Int {
        bytes.append(opening)
        open.append(closing)
        return open.count
    }

    /// Makes a container the innermost, and puts a comma unless this is its first element.
    func separate(_ depth: Int, isFirst: Bool) {
        precondition(open.count >= depth, "a container was written to after the one around it")
        close(downTo: depth)
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
    }

    private func close(downTo depth: Int) {
        while open.count > depth { bytes.append(open.removeLast()) }
    }

    func writeName(_ name: String) {
        write(name)
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: Values

    /// - Parameter key: by which the value is known in the container around it; nil where that is known already.
    func write(_ value: some Encodable, for key: (any CodingKey)? = nil) throws {
        if let key { path.append(key) }
        defer { if key != nil { path.removeLast() } }
        let (depth, count) = (open.count, bytes.count)
        try value.encode(to: JSONTextEncoder(output: self))
        close(downTo: depth)
        guard bytes.count > count else { throw invalid(value, "The value encodes nothing.") }
    }

    func writeNull() { bytes += "null".utf8 }

    func write(_ flag: Bool) { bytes += flag ? "true".utf8 : "false".utf8 }

    func write(_ number: some BinaryInteger) { bytes += String(number).utf8 }

    func write(_ number: some BinaryFloatingPoint & CustomStringConvertible, for key: (any CodingKey)? = nil) throws {
        guard number.isFinite else {
            throw invalid(number, "JSON has no such number.", at: key)
        }
        bytes += number.description.utf8
    }

    private func invalid(_ value: Any, _ reason: String, at key: (any CodingKey)? = nil) -> EncodingError {
        let place = key.map { path + [$0] } ?? path
        return .invalidValue(value, EncodingError.Context(codingPath: place, debugDescription: reason))
    }

    func write(_ text: String) {
        let utf8 = text.utf8
        bytes.append(UInt8(ascii: "\""))
        if utf8.contains(where: Self.isEscaped) {
            utf8.forEach(appendEscaped)
        } else {
            bytes.append(contentsOf: utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private func appendEscaped(_ byte: UInt8) {
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
