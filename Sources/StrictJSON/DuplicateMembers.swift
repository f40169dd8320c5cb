/// RFC 8259 §4 leaves open what a repeated name means; two readers that disagree make a hole, so it is refused.
///
/// Names are compared byte by byte after unescaping, not by `String`, which takes canonically equivalent texts for equal.
enum DuplicateMembers {
    /// Below this, comparing each pair is faster than hashing.
    private static let pairwiseLimit: UInt32 = 24

    static func refuse(in object: Int, nodes: [JSONNode], bytes: [UInt8]) throws(StrictJSONError) {
        if nodes[object].count <= pairwiseLimit {
            try comparePairs(in: object, nodes: nodes, bytes: bytes)
        } else {
            try hash(in: object, nodes: nodes, bytes: bytes)
        }
    }

    private static func comparePairs(in object: Int, nodes: [JSONNode], bytes: [UInt8]) throws(StrictJSONError) {
        let end = Int(nodes[object].end)
        var left = object + 1
        while left < end {
            let name = nodes[left]
            var right = Int(nodes[left + 1].end)
            while right < end {
                if areEqual(name, nodes[right], bytes) {
                    throw StrictJSONError(.duplicateMember, at: Int(nodes[right].start) - 1)
                }
                right = Int(nodes[right + 1].end)
            }
            left = Int(nodes[left + 1].end)
        }
    }

    /// `Set` seeds its hash anew in each process, so nobody can choose names that collide.
    private static func hash(in object: Int, nodes: [JSONNode], bytes: [UInt8]) throws(StrictJSONError) {
        let end = Int(nodes[object].end)
        var seen = Set<[UInt8]>(minimumCapacity: Int(nodes[object].count))
        var index = object + 1
        while index < end {
            guard seen.insert(nodes[index].unescaped(in: bytes)).inserted else {
                throw StrictJSONError(.duplicateMember, at: Int(nodes[index].start) - 1)
            }
            index = Int(nodes[index + 1].end)
        }
    }

    private static func areEqual(_ left: JSONNode, _ right: JSONNode, _ bytes: [UInt8]) -> Bool {
        guard left.flag, right.flag else { return left.unescaped(in: bytes) == right.unescaped(in: bytes) }
        guard left.count == right.count else { return false }
        let (first, second) = (Int(left.start), Int(right.start))
        for offset in 0..<Int(left.count) where bytes[first + offset] != bytes[second + offset] {
            return false
        }
        return true
    }
}
