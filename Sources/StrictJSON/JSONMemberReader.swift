/// Finds the members of one object fast when they are asked for in about the order in which they were written: each
/// search begins behind the last find, and most names that are not there need none.
package struct JSONMemberReader: Sendable {
    private let bytes: [UInt8]
    private let start: Int
    private let nodes: [JSONNode]
    private let first: Int
    private let end: Int
    private var cursor: Int
    /// Of all names.
    private var marks = JSONNameMark.none

    /// For a document that is one object; nil when it is something else.
    /// - Parameter range: where the document stands among the bytes, which the reader keeps.
    package init?(
        _ bytes: [UInt8], in range: Range<Int>, limits: JSONLimits = JSONLimits()
    ) throws(StrictJSONError) {
        let nodes = try JSONDocument.nodes(bytes, in: range, limits: limits)
        guard nodes[0].tag == .object else { return nil }
        self.bytes = bytes
        self.nodes = nodes
        start = range.lowerBound
        first = 1
        end = Int(nodes[0].end)
        cursor = first
        var position = first
        while position < end {
            marks.insert(nodes[position].mark(in: bytes.span))
            position = Int(nodes[position + 1].end)
        }
    }

    /// The member of that name. Names are compared byte by byte.
    package mutating func value(_ name: JSONName) -> JSONValue? {
        index(of: name).map { JSONValue(tape: JSONTape(bytes: bytes, start: start, nodes: nodes), index: $0) }
    }

    /// What it says, unless it is a list or an object. Cheaper than asking a value.
    package mutating func scalar(_ name: JSONName) -> JSONScalar? {
        index(of: name).map { nodes[$0].scalar(in: bytes) }
    }

    /// Whether the member of that name is a string of exactly these bytes.
    package mutating func isString(_ name: JSONName, _ text: String) -> Bool {
        guard let index = index(of: name) else { return false }
        return nodes[index].tag == .string && nodes[index].equals(text, in: bytes)
    }

    /// Of the member's value.
    private mutating func index(of name: JSONName) -> Int? {
        guard marks.meets(name.mark),
            let index = index(of: name, from: cursor, to: end) ?? index(of: name, from: first, to: cursor)
        else { return nil }
        cursor = Int(nodes[index].end)
        return index
    }

    private func index(of name: JSONName, from start: Int, to end: Int) -> Int? {
        JSONNode.value(in: nodes.span, from: start, to: end, nameOf: name.bytes.count) { $0.equals(name, in: bytes) }
    }
}
