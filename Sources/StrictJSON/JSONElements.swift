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
