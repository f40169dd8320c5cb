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

    /// Where it stands in the document's bytes; a string behind its quotation mark.
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

    /// How many elements or members; nil for other than arrays and objects.
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

    /// In the order of the document; empty unless an object.
    package var members: JSONMembers { JSONMembers(self) }

    /// In the order of the document; empty unless an array.
    package var elements: JSONElements { JSONElements(self) }
}
