/// Finds the members of one object fast when they are asked for in about the order in which they were written: each
/// search begins behind the last find, and most names that are not there need none.
package struct JSONMemberReader: Sendable {
    private let tape: JSONTape
    private let first: Int
    private let end: Int
    private var cursor: Int
    /// Of all names.
    private var marks = JSONNameMark.none

    /// Nil unless the value is an object.
    package init?(_ value: JSONValue) {
        let node = value.node
        guard node.tag == .object else { return nil }
        tape = value.tape
        first = value.index + 1
        end = Int(node.end)
        cursor = first
        let (nodes, bytes) = (tape.nodes, tape.bytes)
        var position = first
        while position < end {
            marks.insert(nodes[position].mark(in: bytes.span))
            position = Int(nodes[position + 1].end)
        }
    }

    /// The member of that name. Names are compared byte by byte.
    package mutating func value(_ name: JSONName) -> JSONValue? {
        guard marks.meets(name.mark),
            let index = index(of: name, from: cursor, to: end)
                ?? index(of: name, from: first, to: cursor)
        else { return nil }
        cursor = Int(tape.nodes[index].end)
        return JSONValue(tape: tape, index: index)
    }

    /// Of the member's value.
    private func index(of name: JSONName, from start: Int, to end: Int) -> Int? {
        let (nodes, bytes) = (tape.nodes, tape.bytes)
        var position = start
        while position < end {
            if nodes[position].equals(name, in: bytes) { return position + 1 }
            position = Int(nodes[position + 1].end)
        }
        return nil
    }
}
