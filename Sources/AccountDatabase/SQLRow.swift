/// The columns of one row, taken from left to right in the order of the statement.
package struct SQLColumns {
    private let row: any SQLRow
    private var next = 0

    /// For engines.
    package init(_ row: any SQLRow) {
        self.row = row
    }

    package mutating func text() throws -> String { try row.text(advance()) }

    package mutating func bytes() throws -> [UInt8] { try row.bytes(advance()) }

    package mutating func int64() throws -> Int64 { try row.int64(advance()) }

    package mutating func flag() throws -> Bool { try row.flag(advance()) }

    package mutating func optionalText() throws -> String? { try isNull() ? nil : text() }

    package mutating func optionalBytes() throws -> [UInt8]? { try isNull() ? nil : bytes() }

    package mutating func optionalInt64() throws -> Int64? { try isNull() ? nil : int64() }

    package mutating func optionalFlag() throws -> Bool? { try isNull() ? nil : flag() }

    /// Takes a text and converts it.
    /// - Parameters:
    ///   - expected: a description of the text, for the error.
    ///   - make: converts the text, or returns nil if it can't.
    package mutating func text<Value>(as expected: String, _ make: (String) -> Value?) throws -> Value {
        let column = advance()
        guard let value = try make(row.text(column)) else { throw SQLRowError(column: column, expected: expected) }
        return value
    }

    /// Skips a NULL, and only that.
    private mutating func isNull() throws -> Bool {
        guard try row.isNull(next) else { return false }
        next += 1
        return true
    }

    private mutating func advance() -> Int {
        defer { next += 1 }
        return next
    }
}

/// One row of an answer, as an engine holds it; valid only while it is decoded.
///
/// Columns count from 0. Each method throws ``SQLRowError`` for a column that is not there or holds something else.
package protocol SQLRow {
    func isNull(_ column: Int) throws -> Bool
    func text(_ column: Int) throws -> String
    func bytes(_ column: Int) throws -> [UInt8]
    func int64(_ column: Int) throws -> Int64
    func flag(_ column: Int) throws -> Bool
}

/// A row does not hold what the program expects: the statement or the data is wrong. It carries no stored value.
package struct SQLRowError: Error, Hashable, CustomStringConvertible {
    /// Counted from 0.
    package let column: Int
    /// A description of the value that the column should hold.
    package let expected: String

    package init(column: Int, expected: String) {
        self.column = column
        self.expected = expected
    }

    package var description: String { "column \(column) of a row is not \(expected)" }
}
