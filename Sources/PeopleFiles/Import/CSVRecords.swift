import CommandIO

/// The rows of a CSV file (RFC 4180), one by one. The first row has the names of the columns.
///
/// A field in quotation marks may have line breaks. If such a field has no end, the beginning of the next row is unknown, so
/// the file can't be read any further.
struct CSVRecords {
    private var buffer: ImportBuffer
    private let separator: UInt8
    private(set) var columns: [String] = []
    private var isOver = false

    init(_ input: ImportInput, separator: UInt8 = UInt8(ascii: ",")) throws {
        buffer = ImportBuffer(input)
        self.separator = separator
        switch try nextRow() {
        case .row(let names, _): columns = names.map { $0 ?? "" }
        case .fault(let problem, let line): throw Failure("\(input.name), line \(line): the row of names \(problem)")
        case .json, nil: throw Failure("\(input.name) is empty", hint: "its first line has the names of the columns")
        }
        guard Set(columns).count == columns.count else {
            throw Failure("\(input.name): two columns have the same name")
        }
    }

    var consumed: Int { buffer.input.consumed }
    var size: Int? { buffer.input.size }

    /// Returns the next row, with nil for empty fields; nil at the end.
    mutating func next() throws -> ImportRecord? {
        while !isOver {
            guard let record = try nextRow() else { return nil }
            guard case .row(let fields, let line) = record else { return record }
            // An empty line.
            if fields.count == 1, fields[0] == nil, columns.count != 1 { continue }
            guard fields.count == columns.count else {
                return .fault(
                    "has \(TextForPeople.count(fields.count, "field", "fields")) for \(columns.count) columns",
                    line: line)
            }
            return record
        }
        return nil
    }

    private var longFault: String { ImportRecord.long(buffer.maximumRecordBytes) }

    private mutating func nextRow() throws -> ImportRecord? {
        let line = buffer.line
        var scan = RowScan(separator: separator)
        var (offset, isTooLong) = (0, false)
        while true {
            let here = buffer.bytes[(buffer.position + offset)...]
            if let end = scan.run(over: here) {
                defer { buffer.advance(to: end) }
                return isTooLong ? .fault(longFault, line: line) : scan.record(line: line)
            }
            offset += here.count
            if offset > buffer.maximumRecordBytes {
                isTooLong = true
                scan.dropFields()
                buffer.advance(to: buffer.position + offset)
                offset = 0
            }
            guard try buffer.fill() else {
                isOver = true
                let isEmpty = offset == 0 && !isTooLong
                defer { buffer.advance(to: buffer.bytes.count) }
                if scan.isOpen { return .fault(ImportRecord.cutField, line: line) }
                if isEmpty { return nil }
                scan.finish()
                return isTooLong ? .fault(longFault, line: line) : scan.record(line: line)
            }
        }
    }

    /// The state of the reader inside a row.
    private struct RowScan {
        let separator: UInt8
        private var isQuoted = false
        private var fields: [[UInt8]] = []
        private var field: [UInt8] = []
        /// Whether the byte before was a quotation mark inside a field in quotation marks.
        private var isAfterQuote = false
        /// Whether the field has any byte yet.
        private var hasBegun = false
        /// Whether a field without quotation marks has one inside, which RFC 4180 doesn't allow.
        private var hasStrayQuote = false
        private var isDropped = false

        init(separator: UInt8) {
            self.separator = separator
        }

        /// Whether a field in quotation marks has no end yet.
        var isOpen: Bool { isQuoted && !isAfterQuote }

        /// Reads bytes of the row.
        /// - Returns: The index after the row; nil if the row continues after these bytes.
        mutating func run(over bytes: ArraySlice<UInt8>) -> Int? {
            for index in bytes.indices {
                let byte = bytes[index]
                if isQuoted, !isAfterQuote {
                    if byte == UInt8(ascii: "\"") { isAfterQuote = true } else { keep(byte) }
                } else if byte == UInt8(ascii: "\""), !isQuoted, hasBegun {
                    // It opens no field: rows to the next quotation mark would be lost.
                    hasStrayQuote = true
                } else if byte == UInt8(ascii: "\"") {
                    if isAfterQuote { keep(byte) }
                    (isQuoted, isAfterQuote, hasBegun) = (true, false, true)
                } else if byte == separator {
                    endField()
                } else if byte == UInt8(ascii: "\n") {
                    finish()
                    return index + 1
                } else {
                    if isAfterQuote { (isQuoted, isAfterQuote) = (false, false) }
                    keep(byte)
                }
            }
            return nil
        }

        mutating func finish() {
            if field.last == UInt8(ascii: "\r") { field.removeLast() }
            endField()
        }

        /// Drops the fields of a row that is too long. The rest of the row is read without being kept.
        mutating func dropFields() {
            isDropped = true
            fields = []
            field = []
        }

        func record(line: Int) -> ImportRecord {
            guard !hasStrayQuote else { return .fault("has a quotation mark inside a field without them", line: line) }
            var texts: [String?] = []
            texts.reserveCapacity(fields.count)
            for field in fields {
                guard !field.isEmpty else {
                    texts.append(nil)
                    continue
                }
                let text = String(decoding: field, as: UTF8.self)
                // The text has other bytes than the field if the field isn't in UTF-8.
                guard text.utf8.elementsEqual(field) else {
                    return .fault("has a field that isn't in UTF-8", line: line)
                }
                guard !field.contains(0) else { return .fault("has a field with U+0000", line: line) }
                texts.append(text)
            }
            return .row(texts, line: line)
        }

        private mutating func keep(_ byte: UInt8) {
            hasBegun = true
            if !isDropped { field.append(byte) }
        }

        private mutating func endField() {
            (isQuoted, isAfterQuote, hasBegun) = (false, false, false)
            guard !isDropped else { return }
            fields.append(field)
            field = []
        }
    }
}
