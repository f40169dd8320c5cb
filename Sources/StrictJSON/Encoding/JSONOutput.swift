/// The text so far, and which containers are open in it. One encoding uses it, on one thread, and lets it go.
final class JSONOutput {
    private var text = JSONText()
    /// Where the value stands that is being encoded. Kept here, once, because an array for each value would cost more
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
