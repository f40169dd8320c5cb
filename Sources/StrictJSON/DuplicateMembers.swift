/// RFC 8259 §4 leaves open what a repeated name means; two readers that disagree make a hole, so it is refused.
///
/// Names are compared byte by byte after unescaping, not by `String`, which takes canonically equivalent texts for
/// equal.
enum DuplicateMembers {
    /// The number of members below which comparing all pairs of names is faster than hashing the names.
    private static let pairwiseLimit: UInt32 = 24

    static func refuse(in object: Int, nodes: [JSONNode], bytes: [UInt8]) throws(StrictJSONError) {
        if nodes[object].count <= pairwiseLimit {
            try comparePairs(in: object, nodes: nodes, bytes: bytes)
        } else {
            try hash(in: object, nodes: nodes, bytes: bytes)
        }
    }

    /// A name is compared with those before it only when one of them may be equal by its length, first and last byte.
    private static func comparePairs(in object: Int, nodes: [JSONNode], bytes: [UInt8]) throws(StrictJSONError) {
        let end = Int(nodes[object].end)
        var seen = JSONNameMark.none
        var index = object + 1
        while index < end {
            let mark = nodes[index].mark(in: bytes)
            if seen.meets(mark) {
                try compare(index, withThoseFrom: object + 1, nodes, bytes)
            }
            seen.insert(mark)
            index = Int(nodes[index + 1].end)
        }
    }

    private static func compare(
        _ index: Int, withThoseFrom first: Int, _ nodes: [JSONNode], _ bytes: [UInt8]
    ) throws(StrictJSONError) {
        var other = first
        while other < index {
            if areEqual(nodes[other], nodes[index], bytes) {
                throw StrictJSONError(.duplicateMember, at: Int(nodes[index].start) - 1)
            }
            other = Int(nodes[other + 1].end)
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
