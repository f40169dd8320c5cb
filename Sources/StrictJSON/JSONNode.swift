/// One value, or one member's name, on a document's tape.
///
/// A container is followed by what it holds: elements, or names and values in turn. `end` is the index behind all of
/// that, so a reader can step over it.
struct JSONNode: Sendable {
    /// The kind of value. A member's name is a `string`.
    enum Tag: UInt8 {
        case null
        case bool
        case number
        case string
        case array
        case object
    }

    var tag: Tag
    /// A number without fraction and exponent; a string or name without escapes; a `true`.
    var flag: Bool
    /// The offset at which it starts in the bytes; a string starts behind its quotation mark.
    var start: UInt32
    /// Bytes of a number or string as written, members or elements of a container.
    var count: UInt32
    var end: UInt32
}

extension JSONNode {
    /// The UTF-8 of a string or name, escapes resolved.
    func unescaped(in bytes: [UInt8]) -> [UInt8] {
        let range = Int(start)..<Int(start) + Int(count)
        if flag { return Array(bytes[range]) }
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            if let escape = JSONEscape(in: bytes, at: position) {
                result.append(contentsOf: String(Character(escape.scalar)).utf8)
                position += escape.length
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return result
    }

    func text(in bytes: [UInt8]) -> String {
        if flag {
            String(decoding: bytes[Int(start)..<Int(start) + Int(count)], as: UTF8.self)
        } else {
            String(decoding: unescaped(in: bytes), as: UTF8.self)
        }
    }

    /// Whether a string or name is this text, byte by byte.
    func equals(_ text: String, in bytes: [UInt8]) -> Bool {
        let utf8 = text.utf8
        guard flag else { return unescaped(in: bytes).elementsEqual(utf8) }
        guard utf8.count == Int(count) else { return false }
        return bytes.withSpan { bytes in
            var position = Int(start)
            for byte in utf8 {
                guard bytes[position] == byte else { return false }
                position += 1
            }
            return true
        }
    }

    /// Whether a member's name is this one.
    func equals(_ name: JSONName, in bytes: [UInt8]) -> Bool {
        guard flag else { return unescaped(in: bytes) == name.bytes }
        guard name.bytes.count == Int(count) else { return false }
        return bytes.withSpan { bytes in
            var position = Int(start)
            for byte in name.bytes {
                guard bytes[position] == byte else { return false }
                position += 1
            }
            return true
        }
    }
}

extension JSONNode {
    /// Nil for other than a number that is an exact integer of that type.
    func integer<T: FixedWidthInteger>(_ type: T.Type, in bytes: [UInt8]) -> T? {
        guard tag == .number else { return nil }
        guard flag else {
            // Beyond 2⁵³ a floating-point value no longer says which integer was written.
            guard let value = double(in: bytes), abs(value) <= 9_007_199_254_740_992 else { return nil }
            return T(exactly: value)
        }
        var value: T = 0
        var position = Int(start)
        let end = position + Int(count)
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        while position < end {
            let digit = T(truncatingIfNeeded: bytes[position] &- UInt8(ascii: "0"))
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !tooLarge, !overflow else { return nil }
            value = sum
            position += 1
        }
        return value
    }

    /// Nil for other than a number, and for one that is too large for a finite value.
    func double(in bytes: [UInt8]) -> Double? {
        guard tag == .number, let value = Double(number(in: bytes)), value.isFinite else { return nil }
        return value
    }

    /// A number as it is written.
    func number(in bytes: [UInt8]) -> String {
        String(decoding: bytes[Int(start)..<Int(start) + Int(count)], as: UTF8.self)
    }
}

extension JSONNode {
    /// The index of the value behind the first member's name that is the wanted one, or nil.
    /// - Parameters:
    ///   - start: a member's name, or `end`.
    ///   - end: behind a member's value.
    ///   - count: how many bytes the wanted name has.
    ///   - isWanted: asked only where the length fits, or the name has escapes: most names differ in length already.
    @inline(__always)
    static func value(
        in nodes: Span<JSONNode>, from start: Int, to end: Int, nameOf count: Int, _ isWanted: (JSONNode) -> Bool
    ) -> Int? {
        var position = start
        while position < end {
            let node = nodes[position]
            if Int(node.count) == count || !node.flag, isWanted(node) { return position + 1 }
            position = Int(nodes[position + 1].end)
        }
        return nil
    }
}

/// A document's bytes and nodes, which its values share by one reference, so that a value is cheap to pass on.
final class JSONTape: Sendable {
    let bytes: [UInt8]
    /// The offset of the document in the bytes.
    let start: Int
    let nodes: [JSONNode]

    init(bytes: [UInt8], start: Int, nodes: [JSONNode]) {
        self.bytes = bytes
        self.start = start
        self.nodes = nodes
    }

    /// The index of the value of that name's member, or nil. Names are compared byte by byte.
    /// - Parameters:
    ///   - position: a member's name, or `end`.
    ///   - end: behind a member's value.
    func value(named name: String, from position: Int, to end: Int) -> Int? {
        let (bytes, nodes) = (bytes, nodes)
        return nodes.withSpan { nodes in
            JSONNode.value(in: nodes, from: position, to: end, nameOf: name.utf8.count) {
                $0.equals(name, in: bytes)
            }
        }
    }
}

extension Array {
    /// Lends the elements as a span. `span` does so too, but Apple's systems have that of `Array` only since 2025.
    func withSpan<Result>(_ body: (Span<Element>) -> Result) -> Result {
        unsafe withUnsafeBufferPointer { elements in body(unsafe elements.span) }
    }
}
