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

    let document: JSONDocument
    let index: Int

    var node: JSONNode { document.nodes[index] }

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

    package var isNull: Bool { node.tag == .null }

    package var bool: Bool? {
        let node = node
        return node.tag == .bool ? node.flag : nil
    }

    package var string: String? {
        let node = node
        return node.tag == .string ? node.text(in: document.bytes) : nil
    }

    /// How many elements or members; nil for other than arrays and objects.
    package var count: Int? {
        let node = node
        return node.tag == .array || node.tag == .object ? Int(node.count) : nil
    }

    /// The member of that name. Names are compared byte by byte.
    package subscript(_ name: String) -> JSONValue? {
        let object = node
        guard object.tag == .object else { return nil }
        var position = index + 1
        while position < Int(object.end) {
            if document.nodes[position].equals(name, in: document.bytes) {
                return JSONValue(document: document, index: position + 1)
            }
            position = Int(document.nodes[position + 1].end)
        }
        return nil
    }

    /// In the order of the document; empty unless an object.
    package var members: JSONMembers { JSONMembers(self) }

    /// In the order of the document; empty unless an array.
    package var elements: JSONElements { JSONElements(self) }
}
