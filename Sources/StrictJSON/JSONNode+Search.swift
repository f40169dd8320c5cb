extension JSONNode {
    /// The index of the value behind the first member's name that is the wanted one, or nil.
    /// - Parameters:
    ///   - start: a member's name, or `end`.
    ///   - end: behind a member's value.
    ///   - count: how many bytes the wanted name has.
    ///   - isWanted: asked only where the length fits, or the name has escapes: most names differ in length already.
    @inline(__always)
    static func value(
        in nodes: Span<JSONNode>, from start: Int, to end: Int, nameOf count: Int, _ isWanted: (JSONNode) -> Bool
    ) -> Int? {
        var position = start
        while position < end {
            let node = nodes[position]
            if Int(node.count) == count || !node.flag, isWanted(node) { return position + 1 }
            position = Int(nodes[position + 1].end)
        }
        return nil
    }
}
