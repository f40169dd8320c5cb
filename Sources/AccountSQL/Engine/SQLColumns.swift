/// The columns of one row, taken from left to right in the order of the statement.
public struct SQLColumns {
    private let row: any SQLRow
    private var next = 0

    /// For engines.
    public init(_ row: any SQLRow) {
        self.row = row
    }

    public mutating func text() throws -> String { try row.text(advance()) }

    public mutating func bytes() throws -> [UInt8] { try row.bytes(advance()) }

    public mutating func int64() throws -> Int64 { try row.int64(advance()) }

    public mutating func flag() throws -> Bool { try row.flag(advance()) }

    public mutating func optionalText() throws -> String? { try isNull() ? nil : text() }

    public mutating func optionalBytes() throws -> [UInt8]? { try isNull() ? nil : bytes() }

    public mutating func optionalInt64() throws -> Int64? { try isNull() ? nil : int64() }

    public mutating func optionalFlag() throws -> Bool? { try isNull() ? nil : flag() }

    /// Takes a text and makes something of it.
    /// - Parameters:
    ///   - expected: what the text should be, for the error.
    ///   - make: nil when the text is not that.
    public mutating func text<Value>(as expected: String, _ make: (String) -> Value?) throws -> Value {
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
