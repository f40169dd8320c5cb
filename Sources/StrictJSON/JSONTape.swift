/// What a document's values share: one reference, so that a value is cheap to pass on.
final class JSONTape: Sendable {
    let bytes: [UInt8]
    /// Where among the bytes the document starts.
    let start: Int
    let nodes: [JSONNode]

    init(bytes: [UInt8], start: Int, nodes: [JSONNode]) {
        self.bytes = bytes
        self.start = start
        self.nodes = nodes
    }

    /// The index of the value of that name's member, or nil. Names are compared byte by byte.
    /// - Parameters:
    ///   - position: a member's name, or `end`.
    ///   - end: behind a member's value.
    func value(named name: String, from position: Int, to end: Int) -> Int? {
        let (bytes, nodes) = (bytes, nodes)
        return JSONNode.value(in: nodes.span, from: position, to: end, nameOf: name.utf8.count) {
            $0.equals(name, in: bytes)
        }
    }
}
