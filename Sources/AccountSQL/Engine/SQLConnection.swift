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

    /// Runs a statement to its end and shows each row.
    /// - Parameter visit: takes the columns from left to right; must not use the connection.
    func eachRow(
        of statement: SQLStatement, _ values: [SQLValue], visit: (inout SQLColumns) throws -> Void
    ) throws

    /// Waits until no other transaction holds this number, and holds it until this one is over.
    ///
    /// Inside ``SQLDatabase/write(_:)`` alone. An engine whose writing transactions stand one after the other has
    /// nothing to do.
    func lock(_ number: Int64) throws

    /// Says that this transaction removes what is known of a person, which must not stay readable in files that the
    /// engine keeps beside the tables: an engine that has such files empties them soon after the commit.
    func eraseRemoved()
}

extension SQLConnection {
    /// Does nothing, for engines whose server looks after its own files.
    public func eraseRemoved() {}

    @discardableResult
    public func execute(_ statement: SQLStatement) throws -> Int {
        try execute(statement, [])
    }

    /// Runs a statement to its end and decodes each row.
    /// - Parameter decode: takes the columns from left to right; must not use the connection.
    public func query<Value>(
        _ statement: SQLStatement, _ values: [SQLValue], decode: (inout SQLColumns) throws -> Value
    ) throws -> [Value] {
        var rows: [Value] = []
        try eachRow(of: statement, values) { try rows.append(decode(&$0)) }
        return rows
    }

    /// The first row, or nil; the statement runs to its end in any case.
    public func first<Value>(
        _ statement: SQLStatement, _ values: [SQLValue], decode: (inout SQLColumns) throws -> Value
    ) throws -> Value? {
        var first: Value?
        try eachRow(of: statement, values) { columns in
            if first == nil { first = try decode(&columns) }
        }
        return first
    }

    /// Whether the statement gave any row. Of one that writes, ask ``execute(_:_:)`` how many it touched: for
    /// `RETURNING` SQLite makes a table each time.
    public func returnsRow(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Bool {
        var isAny = false
        try eachRow(of: statement, values) { _ in isAny = true }
        return isAny
    }
}
