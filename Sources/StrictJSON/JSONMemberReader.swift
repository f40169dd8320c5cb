/// Finds the members of one object by their names, and reads none of them before somebody asks. Most names that are not
/// there need no search.
package struct JSONMemberReader: Sendable {
    private let bytes: [UInt8]
    private let start: Int
    private let nodes: [JSONNode]
    private let end: Int
    /// The marks of all names together.
    private var marks = JSONNameMark.none

    /// Reads a document that is one object; nil when it is something else.
    /// - Parameter range: where the document stands among the bytes, which the reader keeps.
    package init?(
        _ bytes: [UInt8], in range: Range<Int>, limits: JSONLimits = JSONLimits()
    ) throws(StrictJSONError) {
        let nodes = try JSONDocument.nodes(bytes, in: range, limits: limits)
        guard nodes[0].tag == .object else { return nil }
        self.bytes = bytes
        self.nodes = nodes
        start = range.lowerBound
        end = Int(nodes[0].end)
        var position = Self.first
        while position < end {
            marks.insert(nodes[position].mark(in: bytes))
            position = Int(nodes[position + 1].end)
        }
    }

    /// The member of that name. Names are compared byte by byte.
    package func value(_ name: JSONName) -> JSONValue? {
        index(of: name).map { JSONValue(tape: JSONTape(bytes: bytes, start: start, nodes: nodes), index: $0) }
    }

    /// The member's value as a scalar. Cheaper than asking a ``JSONValue``.
    package func scalar(_ name: JSONName) -> JSONScalar? {
        index(of: name).map { nodes[$0].scalar(in: bytes) }
    }

    /// Whether the member of that name is a string of exactly these bytes.
    package func isString(_ name: JSONName, _ text: String) -> Bool {
        guard let index = index(of: name) else { return false }
        return nodes[index].tag == .string && nodes[index].equals(text, in: bytes)
    }

    /// The UTF-8 of the member of that name, escapes resolved; nil for other than a string. Cheaper than a text, which
    /// has to be made.
    package func utf8(_ name: JSONName) -> ArraySlice<UInt8>? {
        guard let index = index(of: name), nodes[index].tag == .string else { return nil }
        let node = nodes[index]
        return node.flag ? bytes[Int(node.start)..<Int(node.start + node.count)] : node.unescaped(in: bytes)[...]
    }

    /// The index of the member's value.
    private func index(of name: JSONName) -> Int? {
        guard marks.meets(name.mark) else { return nil }
        return nodes.withSpan { nodes in
            JSONNode.value(in: nodes, from: Self.first, to: end, nameOf: name.bytes.count) {
                $0.equals(name, in: bytes)
            }
        }
    }

    /// The node of the first member's name, behind the object's own node.
    private static let first = 1
}
