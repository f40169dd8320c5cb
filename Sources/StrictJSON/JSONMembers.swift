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
