import CommandIO

/// The objects of a JSON file, one by one: the elements of a list, or of the list `users` of an object, or one on each
/// line.
///
/// After a damaged object, the reader continues at the next line that begins with `{`, as exports begin their objects.
struct JSONRecords {
    private enum Shape {
        case list
        case lines
    }

    private var buffer: ImportBuffer
    private var shape: Shape?
    private var isOver = false

    /// - Parameter maximumRecordBytes: the maximum length of an object.
    init(_ input: ImportInput, maximumRecordBytes: Int = ImportBuffer.maximumRecordBytes) {
        buffer = ImportBuffer(input, maximumRecordBytes: maximumRecordBytes)
    }

    var consumed: Int { buffer.input.consumed }
    var size: Int? { buffer.input.size }

    /// Returns the next object; nil at the end.
    mutating func next() throws -> ImportRecord? {
        guard !isOver else { return nil }
        let shape = try self.shape ?? findShape()
        self.shape = shape
        return switch shape {
        case .lines: try nextLine()
        case .list: try nextElement()
        }
    }

    // MARK: The shape

    private mutating func findShape() throws -> Shape {
        while buffer.bytes.count < 4_096, try buffer.fill() {}
        var index = 0
        func skipSpace() { while index < buffer.bytes.count, buffer.bytes[index].isJSONSpace { index += 1 } }
        func take(_ text: String) -> Bool {
            skipSpace()
            guard buffer.bytes[min(index, buffer.bytes.count)...].starts(with: text.utf8) else { return false }
            index += text.utf8.count
            return true
        }
        if take("[") {
            buffer.advance(to: index)
            return .list
        }
        index = 0
        if take("{"), take("\"users\""), take(":"), take("[") {
            buffer.advance(to: index)
            return .list
        }
        return .lines
    }

    // MARK: Lines

    private mutating func nextLine() throws -> ImportRecord? {
        while true {
            var index = buffer.position
            var isTooLong = false
            let start = buffer.line
            while true {
                if let end = buffer.bytes[index...].firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Array(buffer.bytes[buffer.position..<end])
                    buffer.advance(to: end + 1)
                    if let record = self.record(line, isTooLong, line: start) { return record }
                    break
                }
                if buffer.bytes.count - buffer.position > buffer.maximumRecordBytes {
                    isTooLong = true
                    buffer.advance(to: buffer.bytes.count)
                }
                let read = buffer.bytes.count - buffer.position
                guard try buffer.fill() else {
                    isOver = true
                    let line = Array(buffer.bytes[buffer.position...])
                    return record(line, isTooLong, line: start)
                }
                index = buffer.position + read
            }
        }
    }

    private func record(_ line: [UInt8], _ isTooLong: Bool, line number: Int) -> ImportRecord? {
        guard !isTooLong else { return .fault(longFault, line: number) }
        guard !line.allSatisfy(\.isJSONSpace) else { return nil }
        return .json(line, line: number)
    }

    private var longFault: String { ImportRecord.long(buffer.maximumRecordBytes) }

    // MARK: Elements

    private mutating func nextElement() throws -> ImportRecord? {
        while true {
            guard let byte = try byte(at: buffer.position) else {
                isOver = true
                return .fault(ImportRecord.cutList, line: buffer.line)
            }
            switch byte {
            case UInt8(ascii: "{"): return try takeObject()
            case UInt8(ascii: "]"):
                isOver = true
                return nil
            case UInt8(ascii: ","),
                _ where byte.isJSONSpace:
                buffer.advance(to: buffer.position + 1)
            default:
                let line = buffer.line
                try skipToObject()
                return .fault("isn't an object", line: line)
            }
        }
    }

    private mutating func takeObject() throws -> ImportRecord {
        let line = buffer.line
        var scan = ObjectScan()
        var (offset, isTooLong) = (0, false)
        while true {
            let here = buffer.bytes[(buffer.position + offset)...]
            switch scan.run(over: here) {
            case .end(let end):
                let bytes = isTooLong ? [] : Array(buffer.bytes[buffer.position..<end])
                buffer.advance(to: end)
                return isTooLong ? .fault(longFault, line: line) : .json(bytes, line: line)
            case .nextRecord(let start):
                buffer.advance(to: start)
                return .fault("has a bracket without an end", line: line)
            case .newlineInText(let end):
                buffer.advance(to: end)
                try skipToObject()
                return .fault("has a text without an end", line: line)
            case .goesOn: offset += here.count
            }
            if offset > buffer.maximumRecordBytes {
                isTooLong = true
                buffer.advance(to: buffer.position + offset)
                offset = 0
            }
            guard try buffer.fill() else {
                isOver = true
                return .fault(ImportRecord.cutObject, line: line)
            }
        }
    }

    /// The state of the reader inside an object.
    private struct ObjectScan {
        enum Result {
            /// The object ends before this index.
            case end(Int)
            /// A string has a line break at this index, which JSON doesn't allow.
            case newlineInText(Int)
            /// A line begins with `{` at this index, as the next object does.
            case nextRecord(Int)
            case goesOn
        }

        private var depth = 0
        private var isInText = false
        private var isEscaped = false
        private var isAtLineStart = false

        mutating func run(over bytes: ArraySlice<UInt8>) -> Result {
            for index in bytes.indices {
                let byte = bytes[index]
                if isInText {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isInText = false
                    } else if byte == UInt8(ascii: "\n") {
                        return .newlineInText(index)
                    }
                    continue
                }
                let wasAtLineStart = isAtLineStart
                isAtLineStart = byte == UInt8(ascii: "\n")
                switch byte {
                case UInt8(ascii: "\""): isInText = true
                case UInt8(ascii: "{") where wasAtLineStart && depth > 0: return .nextRecord(index)
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth == 0 { return .end(index + 1) }
                default: break
                }
            }
            return .goesOn
        }
    }

    /// Skips to the next line that begins with `{`, or to the end.
    private mutating func skipToObject() throws {
        while let byte = try byte(at: buffer.position) {
            if byte == UInt8(ascii: "\n"), try self.byte(at: buffer.position + 1) == UInt8(ascii: "{") {
                return buffer.advance(to: buffer.position + 1)
            }
            buffer.advance(to: buffer.position + 1)
        }
    }

    private mutating func byte(at index: Int) throws -> UInt8? {
        var index = index
        while index >= buffer.bytes.count {
            let moved = buffer.position
            guard try buffer.fill() else { return nil }
            index -= moved
        }
        return buffer.bytes[index]
    }
}

extension UInt8 {
    /// Whether it is one of the four characters that JSON ignores between values.
    var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
