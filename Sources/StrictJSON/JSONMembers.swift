/// The members of an object.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var position: Int
    private let end: Int

    init(_ value: JSONValue) {
        let node = value.node
        document = value.document
        position = value.index + 1
        end = node.tag == .object ? Int(node.end) : position
    }

    package mutating func next() -> (name: String, value: JSONValue)? {
        guard position < end else { return nil }
        let name = document.nodes[position].text(in: document.bytes)
        let value = JSONValue(document: document, index: position + 1)
        position = Int(value.node.end)
        return (name, value)
    }
}
