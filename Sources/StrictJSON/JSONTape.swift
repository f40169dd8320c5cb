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
        let count = UInt32(truncatingIfNeeded: name.utf8.count)
        let (allBytes, allNodes) = (bytes, nodes)
        let nodes = allNodes.span
        var position = position
        while position < end {
            let node = nodes[position]
            // Most names differ in length already.
            if node.count == count || !node.flag, node.equals(name, in: allBytes) { return position + 1 }
            position = Int(nodes[position + 1].end)
        }
        return nil
    }
}
