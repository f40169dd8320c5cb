/// The elements of an array.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var position: Int
    private let end: Int

    init(_ value: JSONValue) {
        let node = value.node
        document = value.document
        position = value.index + 1
        end = node.tag == .array ? Int(node.end) : position
    }

    package mutating func next() -> JSONValue? {
        guard position < end else { return nil }
        let value = JSONValue(document: document, index: position)
        position = Int(value.node.end)
        return value
    }
}
