/// One value of a document. Reading the wrong type gives nil.
package struct JSONValue: Sendable {
    /// The six types of RFC 8259.
    package enum Kind: Sendable {
        case null
        case bool
        case number
        case string
        case array
        case object
    }

    let tape: JSONTape
    let index: Int

    var node: JSONNode { tape.nodes[index] }

    package var kind: Kind {
        switch node.tag {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// Its offset in the document's bytes; a string starts behind its quotation mark.
    package var offset: Int { Int(node.start) - tape.start }

    package var isNull: Bool { node.tag == .null }

    package var bool: Bool? {
        let node = node
        return node.tag == .bool ? node.flag : nil
    }

    package var string: String? {
        let node = node
        return node.tag == .string ? node.text(in: tape.bytes) : nil
    }

    /// Whether it is a string of exactly these bytes; cheaper than reading it.
    package func isString(_ text: String) -> Bool {
        let node = node
        return node.tag == .string && node.equals(text, in: tape.bytes)
    }

    /// The number of elements or members; nil for other than arrays and objects.
    package var count: Int? {
        let node = node
        return node.tag == .array || node.tag == .object ? Int(node.count) : nil
    }

    /// The member of that name. Names are compared byte by byte.
    package subscript(_ name: String) -> JSONValue? {
        let node = node
        guard node.tag == .object, let value = tape.value(named: name, from: index + 1, to: Int(node.end)) else {
            return nil
        }
        return JSONValue(tape: tape, index: value)
    }

    /// The members in the order of the document; empty unless an object.
    package var members: JSONMembers { JSONMembers(self) }

    /// The elements in the order of the document; empty unless an array.
    package var elements: JSONElements { JSONElements(self) }
}

extension JSONValue {
    /// The number when it is an exact integer within range. `1.0` and `1e3` are, `1.5` is not.
    package var int64: Int64? { node.integer(Int64.self, in: tape.bytes) }

    /// The number when it is an exact integer from 0 to 2⁶⁴ - 1.
    package var uint64: UInt64? { node.integer(UInt64.self, in: tape.bytes) }

    /// The number, nil when too large for a finite value.
    package var double: Double? { node.double(in: tape.bytes) }
}

/// A value that holds no others, read.
package enum JSONScalar: Sendable, Equatable {
    case bool(Bool)
    /// An exact integer within range, as ``JSONValue/int64`` has it.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    case string(String)
    /// `null`, a list, an object, or a number too large for a finite value.
    case other

    /// Nil for other than a string.
    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

extension JSONValue {
    /// The value as a scalar; ``JSONScalar/other`` for an array or an object.
    package var scalar: JSONScalar { node.scalar(in: tape.bytes) }
}

extension JSONNode {
    func scalar(in bytes: [UInt8]) -> JSONScalar {
        switch tag {
        case .bool: .bool(flag)
        case .string: .string(text(in: bytes))
        case .number:
            if let integer = integer(Int64.self, in: bytes) {
                .integer(integer)
            } else if let number = double(in: bytes) {
                .number(number)
            } else {
                .other
            }
        case .null, .array, .object: .other
        }
    }
}

/// The elements of an array.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let tape: JSONTape
    private var position: Int
    private let end: Int

    init(_ value: JSONValue) {
        let node = value.node
        tape = value.tape
        position = value.index + 1
        end = node.tag == .array ? Int(node.end) : position
    }

    package mutating func next() -> JSONValue? {
        guard position < end else { return nil }
        let value = JSONValue(tape: tape, index: position)
        position = Int(value.node.end)
        return value
    }
}

/// The members of an object.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    private let tape: JSONTape
    private var position: Int
    private let end: Int

    init(_ value: JSONValue) {
        let node = value.node
        tape = value.tape
        position = value.index + 1
        end = node.tag == .object ? Int(node.end) : position
    }

    package mutating func next() -> (name: String, value: JSONValue)? {
        guard position < end else { return nil }
        let name = tape.nodes[position].text(in: tape.bytes)
        let value = JSONValue(tape: tape, index: position + 1)
        position = Int(value.node.end)
        return (name, value)
    }
}
