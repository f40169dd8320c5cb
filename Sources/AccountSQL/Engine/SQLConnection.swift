/// What the body of a transaction talks to. Synchronous; valid only inside that body.
///
/// After a statement has failed, the connection refuses every further one and the transaction is undone, even if the
/// body goes on as though nothing had happened: PostgreSQL leaves no choice, and SQLite may have rolled back already.
public protocol SQLConnection {
    /// Runs a statement to its end.
    /// - Parameter values: for `?1`, `?2`, … in this order, exactly as many as the statement names.
    /// - Returns: how many rows an INSERT, UPDATE or DELETE touched.
    @discardableResult
    func execute(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Int

    /// Runs a statement to its end and decodes each row.
    /// - Parameter decode: takes the columns from left to right; must not use the connection.
    func query<Value>(
        _ statement: SQLStatement, _ values: [SQLValue], decode: (inout SQLColumns) throws -> Value
    ) throws -> [Value]

    /// Waits until no other transaction holds this number, and holds it until this one is over.
    ///
    /// Inside ``SQLDatabase/write(_:)`` alone. An engine whose writing transactions stand one after the other has
    /// nothing to do.
    func lock(_ number: Int64) throws
}

extension SQLConnection {
    @discardableResult
    public func execute(_ statement: SQLStatement) throws -> Int {
        try execute(statement, [])
    }

    /// The first row, or nil; the statement runs to its end in any case.
    public func first<Value>(
        _ statement: SQLStatement, _ values: [SQLValue], decode: (inout SQLColumns) throws -> Value
    ) throws -> Value? {
        try query(statement, values, decode: decode).first
    }

    /// Whether the statement, with `RETURNING`, gave any row: how one learns who won.
    public func returnsRow(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Bool {
        try !query(statement, values) { _ in () }.isEmpty
    }
}
