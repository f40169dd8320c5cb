/// The name of a member, prepared for looking it up in many documents.
package struct JSONName: Sendable {
    let bytes: [UInt8]
    let mark: JSONNameMark

    /// - Parameter text: as it stands after unescaping.
    package init(_ text: String) {
        let bytes = Array(text.utf8)
        self.bytes = bytes
        mark = JSONNameMark(bytes, from: 0, count: bytes.count)
    }
}

/// One of 64 marks that a name has by its length, first and last byte; or several together. Names without a common mark
/// differ; names with one may be equal.
struct JSONNameMark: Sendable {
    private(set) var bits: UInt64

    static let none = Self(bits: 0)
    /// The mark of a name with escapes, which may be equal to any other name.
    static let all = Self(bits: .max)

    private init(bits: UInt64) {
        self.bits = bits
    }

    init(_ bytes: [UInt8], from start: Int, count: Int) {
        guard count > 0 else {
            bits = 1
            return
        }
        let (first, last) = (UInt32(bytes[start]), UInt32(bytes[start + count - 1]))
        bits = 1 << UInt64((UInt32(truncatingIfNeeded: count) &* 31 &+ first &* 7 &+ last) & 63)
    }

    func meets(_ other: Self) -> Bool { bits & other.bits != 0 }

    mutating func insert(_ other: Self) { bits |= other.bits }
}

extension JSONNode {
    /// The mark of this node, which is a member's name.
    func mark(in bytes: [UInt8]) -> JSONNameMark {
        flag ? JSONNameMark(bytes, from: Int(start), count: Int(count)) : .all
    }
}
