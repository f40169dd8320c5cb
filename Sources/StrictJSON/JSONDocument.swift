/// A JSON text that was read strictly and whole.
///
/// RFC 8259, and stricter where it leaves a choice: no byte order mark, no member named twice in one object at any
/// depth (names are compared after unescaping), no U+0000, no lone surrogate, no invalid UTF-8, and limits for size and
/// depth. Reading makes one flat list of nodes; strings and numbers are converted when they are read.
package struct JSONDocument: Sendable {
    let tape: JSONTape

    package init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(StrictJSONError) {
        try self.init(bytes, in: bytes.indices, limits: limits)
    }

    /// - Parameter range: where the document stands among the bytes, which it keeps. Offsets are counted from its
    ///   start.
    package init(
        _ bytes: [UInt8], in range: Range<Int>, limits: JSONLimits = JSONLimits()
    ) throws(StrictJSONError) {
        tape = JSONTape(
            bytes: bytes, start: range.lowerBound, nodes: try Self.nodes(bytes, in: range, limits: limits))
    }

    static func nodes(
        _ bytes: [UInt8], in range: Range<Int>, limits: JSONLimits
    ) throws(StrictJSONError) -> [JSONNode] {
        // Offsets on the tape have 32 bits.
        guard range.count <= limits.maximumBytes, range.upperBound <= Int(Int32.max) else {
            throw StrictJSONError(.tooLarge, at: limits.maximumBytes)
        }
        var parser = JSONParser(bytes: bytes, range: range, maximumDepth: limits.maximumDepth)
        do throws(StrictJSONError) {
            try parser.parse()
        } catch {
            throw StrictJSONError(error.code, at: error.offset - range.lowerBound)
        }
        return parser.nodes
    }

    package init(_ bytes: some Collection<UInt8>, limits: JSONLimits = JSONLimits()) throws(StrictJSONError) {
        guard bytes.count <= limits.maximumBytes else {
            throw StrictJSONError(.tooLarge, at: limits.maximumBytes)
        }
        try self.init(Array(bytes), limits: limits)
    }

    package var root: JSONValue { JSONValue(tape: tape, index: 0) }
}

/// The maximum size and depth of a document.
package struct JSONLimits: Sendable, Hashable {
    package var maximumBytes: Int
    /// The maximum number of arrays and objects that contain one another.
    package var maximumDepth: Int

    package init(maximumBytes: Int = 65_536, maximumDepth: Int = 32) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
    }
}
