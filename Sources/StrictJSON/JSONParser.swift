/// Reads bytes into a tape, without recursion: while a container is open, its node's `end` holds the index of the
/// container around it.
struct JSONParser {
    let bytes: [UInt8]
    /// Behind the document's last byte. An escape or a character of several bytes may be read beyond it, and is then
    /// found to leave no room for the string's end.
    private let end: Int
    private let maximumDepth: Int
    private(set) var nodes: [JSONNode] = []
    private var position: Int

    /// - Parameter range: where the document stands among the bytes.
    init(bytes: [UInt8], range: Range<Int>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        (position, end) = (range.lowerBound, range.upperBound)
        // A token's payload has one for about twenty bytes.
        nodes.reserveCapacity(range.count / 16 + 8)
    }

    mutating func parse() throws(StrictJSONError) {
        var open = -1
        var depth = 0
        var expectsValue = true
        while true {
            skipWhitespace()
            if expectsValue {
                expectsValue = false
                switch peek() {
                case UInt8(ascii: "{"):
                    try enter(.object, around: &open, depth: &depth)
                    if peek() != UInt8(ascii: "}") {
                        try memberName()
                        expectsValue = true
                    }
                case UInt8(ascii: "["):
                    try enter(.array, around: &open, depth: &depth)
                    expectsValue = peek() != UInt8(ascii: "]")
                default:
                    try scalar()
                }
                continue
            }
            guard open >= 0 else { break }
            let isObject = nodes[open].tag == .object
            switch peek() {
            case UInt8(ascii: ","):
                position += 1
                nodes[open].count += 1
                skipWhitespace()
                if isObject { try memberName() }
                expectsValue = true
            case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject:
                position += 1
                try leave(&open, depth: &depth)
            default:
                throw StrictJSONError(.malformed, at: position)
            }
        }
        guard position == end else { throw StrictJSONError(.malformed, at: position) }
    }

    /// The byte at the position; 0, which is nowhere allowed outside strings, at the end.
    @inline(__always)
    private func peek() -> UInt8 {
        position < end ? bytes[position] : 0
    }

    @inline(__always)
    private mutating func skipWhitespace() {
        // No byte above the space is white space, and most documents here have no white space.
        while position < end, bytes[position] <= UInt8(ascii: " ") {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): position += 1
            default: return
            }
        }
    }

    private mutating func enter(_ tag: JSONNode.Tag, around open: inout Int, depth: inout Int) throws(StrictJSONError) {
        guard depth < maximumDepth else { throw StrictJSONError(.tooDeep, at: position) }
        depth += 1
        // `open + 1` because nothing lies around the outermost, and the field is unsigned.
        nodes.append(
            JSONNode(
                tag: tag, flag: false, start: UInt32(position), count: 0, end: UInt32(truncatingIfNeeded: open + 1)))
        open = nodes.count - 1
        position += 1
        skipWhitespace()
    }

    private mutating func leave(_ open: inout Int, depth: inout Int) throws(StrictJSONError) {
        let outer = Int(nodes[open].end) - 1
        nodes[open].end = UInt32(nodes.count)
        // The commas were counted. If there are elements, there is one more element than commas.
        if nodes.count > open + 1 { nodes[open].count += 1 }
        if nodes[open].tag == .object, nodes[open].count > 1 {
            try DuplicateMembers.refuse(in: open, nodes: nodes, bytes: bytes)
        }
        open = outer
        depth -= 1
    }

    private mutating func memberName() throws(StrictJSONError) {
        guard peek() == UInt8(ascii: "\"") else { throw StrictJSONError(.malformed, at: position) }
        try string()
        skipWhitespace()
        guard peek() == UInt8(ascii: ":") else { throw StrictJSONError(.malformed, at: position) }
        position += 1
    }

    private mutating func scalar() throws(StrictJSONError) {
        switch peek() {
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try literal(Self.true, .bool, flag: true)
        case UInt8(ascii: "f"): try literal(Self.false, .bool, flag: false)
        case UInt8(ascii: "n"): try literal(Self.null, .null, flag: false)
        default: try number()
        }
    }

    private static let `true` = Array("true".utf8)
    private static let `false` = Array("false".utf8)
    private static let null = Array("null".utf8)

    private mutating func literal(_ word: [UInt8], _ tag: JSONNode.Tag, flag: Bool) throws(StrictJSONError) {
        let start = position
        for byte in word {
            guard peek() == byte else { throw StrictJSONError(.malformed, at: position) }
            position += 1
        }
        append(tag, flag: flag, from: start)
    }

    /// RFC 8259 §6.
    private mutating func number() throws(StrictJSONError) {
        let start = position
        var isInteger = true
        if peek() == UInt8(ascii: "-") { position += 1 }
        if peek() == UInt8(ascii: "0") {
            position += 1
        } else {
            try digits()
        }
        if peek() == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try digits()
        }
        if peek() | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        append(.number, flag: isInteger, from: start)
    }

    private mutating func digits() throws(StrictJSONError) {
        let start = position
        while peek() >= UInt8(ascii: "0"), peek() <= UInt8(ascii: "9") { position += 1 }
        guard position > start else { throw StrictJSONError(.malformed, at: position) }
    }

    /// RFC 8259 §7. The node covers what is between the quotation marks.
    private mutating func string() throws(StrictJSONError) {
        position += 1
        let start = position
        var isPlain = true
        while true {
            position = Self.endOfPlainText(in: bytes, from: position, to: end)
            guard position < end else { throw StrictJSONError(.malformed, at: end) }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                append(.string, flag: isPlain, from: start)
                position += 1
                return
            case UInt8(ascii: "\\"):
                isPlain = false
                guard let escape = JSONEscape(in: bytes, at: position) else {
                    throw StrictJSONError(.malformed, at: position)
                }
                if escape.scalar.value == 0 { throw StrictJSONError(.nullCharacter, at: position) }
                position += escape.length
            case 0x80...:
                guard let length = UTF8Sequence.length(in: bytes, at: position) else {
                    throw StrictJSONError(.invalidUTF8, at: position)
                }
                position += length
            default:
                throw StrictJSONError(bytes[position] == 0 ? .nullCharacter : .malformed, at: position)
            }
        }
    }

    /// The first byte that is no plain ASCII character of a string; the end when there is none.
    private static func endOfPlainText(in bytes: [UInt8], from start: Int, to end: Int) -> Int {
        guard start < end else { return start }
        return bytes.withSpan { bytes in
            let text = bytes.extracting(start..<end)
            var position = 0
            while position < text.count {
                let byte = text[position]
                // From 0x20 to 0x7F, in one comparison.
                guard byte &- 0x20 < 0x60, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
                position += 1
            }
            return start + position
        }
    }

    @inline(__always)
    private mutating func append(_ tag: JSONNode.Tag, flag: Bool, from start: Int) {
        nodes.append(
            JSONNode(
                tag: tag, flag: flag, start: UInt32(truncatingIfNeeded: start),
                count: UInt32(truncatingIfNeeded: position - start), end: UInt32(truncatingIfNeeded: nodes.count + 1)))
    }
}
