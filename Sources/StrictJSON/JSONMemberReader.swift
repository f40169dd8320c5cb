/// Finds the members of one object fast when they are asked for in about the order in which they were written: each
/// search begins behind the last find.
package struct JSONMemberReader: Sendable {
    @usableFromInline let tape: JSONTape
    @usableFromInline let first: Int
    @usableFromInline let end: Int
    @usableFromInline var cursor: Int

    /// Nil unless the value is an object.
    @inlinable
    package init?(_ value: JSONValue) {
        let node = value.node
        guard node.tag == .object else { return nil }
        tape = value.tape
        first = value.index + 1
        end = Int(node.end)
        cursor = first
    }

    /// The member of that name. Names are compared byte by byte.
    @inlinable
    package mutating func value(_ name: String) -> JSONValue? {
        guard
            let index = tape.value(named: name, from: cursor, to: end)
                ?? tape.value(named: name, from: first, to: cursor)
        else { return nil }
        cursor = Int(tape.nodes[index].end)
        return JSONValue(tape: tape, index: index)
    }
}
