/// The connection that the body of a transaction gets. It is synchronous, and valid only inside that body.
///
/// After a statement has failed, the connection refuses every further one and the transaction is undone, even if the
/// body goes on as though nothing had happened: PostgreSQL leaves no choice, and SQLite may have rolled back already.
package protocol SQLConnection {
    /// Runs a statement to its end.
    /// - Parameter values: for `?1`, `?2`, … in this order, exactly as many as the statement names.
    /// - Returns: the number of rows that an INSERT, UPDATE or DELETE touched.
    @discardableResult
    func execute(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Int

    /// Runs a statement to its end and shows each row.
    /// - Parameter visit: takes the columns from left to right; must not use the connection.
    func eachRow(
        of statement: SQLStatement, _ values: [SQLValue], visit: (inout SQLColumns) throws -> Void
    ) throws

    /// Runs the statements of a batch one after the other, each to its end. An engine that is a server of its own needs
    /// one round trip for all of them.
    ///
    /// The outcomes are known only after the last statement has run: a statement that touches no row doesn't keep the
    /// next ones from running. A statement that fails does.
    /// - Returns: for each step the number of rows that it has shown or, if it shows none, that it touched.
    func run(_ batch: [SQLStep]) throws -> [Int]

    /// Runs a statement whose outcome the body doesn't need, after those that were asked for before it.
    ///
    /// An engine that is a server of its own gets it together with the next statement whose outcome is asked for, or
    /// together with COMMIT, so it takes no round trip of its own. If the statement fails, the next call or COMMIT
    /// fails.
    func executeLater(_ statement: SQLStatement, _ values: [SQLValue]) throws

    /// Locks a number until this transaction ends: no other transaction holds it while a later statement of this one
    /// runs.
    ///
    /// It is for ``SQLDatabase/write(_:)`` only. An engine that runs one writing transaction at a time has nothing to
    /// do.
    func lock(_ number: Int64) throws

    /// Says that this transaction removes personal data. The data must not stay readable in files that the engine keeps
    /// beside the tables: an engine that has such files empties them soon after the commit.
    func eraseRemoved()
}

/// A statement with its values, as one step of a batch.
package struct SQLStep {
    package let statement: SQLStatement
    package let values: [SQLValue]
    /// Takes the columns of each row from left to right; must not use the connection. Nil for a statement without rows.
    package let visit: ((inout SQLColumns) throws -> Void)?

    /// - Parameters:
    ///   - values: for `?1`, `?2`, … in this order, exactly as many as the statement names.
    ///   - visit: takes each row once the whole batch has run.
    package init(
        _ statement: SQLStatement, _ values: [SQLValue] = [], visit: ((inout SQLColumns) throws -> Void)? = nil
    ) {
        self.statement = statement
        self.values = values
        self.visit = visit
    }
}

extension SQLConnection {
    /// Does nothing, for engines whose server looks after its own files.
    package func eraseRemoved() {}

    /// Runs one statement after the other, for engines in the program's own process.
    package func run(_ batch: [SQLStep]) throws -> [Int] {
        try batch.map { step in
            guard let visit = step.visit else { return try execute(step.statement, step.values) }
            var rows = 0
            try eachRow(of: step.statement, step.values) { columns in
                rows += 1
                try visit(&columns)
            }
            return rows
        }
    }

    /// Runs the statement at once, for engines in the program's own process.
    package func executeLater(_ statement: SQLStatement, _ values: [SQLValue]) throws {
        try execute(statement, values)
    }

    @discardableResult
    package func execute(_ statement: SQLStatement) throws -> Int {
        try execute(statement, [])
    }

    /// Runs a statement to its end and decodes each row.
    /// - Parameter decode: takes the columns from left to right; must not use the connection.
    package func query<Value>(
        _ statement: SQLStatement, _ values: [SQLValue], decode: (inout SQLColumns) throws -> Value
    ) throws -> [Value] {
        var rows: [Value] = []
        try eachRow(of: statement, values) { try rows.append(decode(&$0)) }
        return rows
    }

    /// Returns the first row, or nil. The statement runs to its end in any case.
    package func first<Value>(
        _ statement: SQLStatement, _ values: [SQLValue], decode: (inout SQLColumns) throws -> Value
    ) throws -> Value? {
        var first: Value?
        try eachRow(of: statement, values) { columns in
            if first == nil { first = try decode(&columns) }
        }
        return first
    }

    /// Whether the statement gave any row. For a statement that writes, ask ``execute(_:_:)`` how many rows it touched:
    /// for `RETURNING` SQLite makes a table each time.
    package func returnsRow(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Bool {
        var isAny = false
        try eachRow(of: statement, values) { _ in isAny = true }
        return isAny
    }
}
