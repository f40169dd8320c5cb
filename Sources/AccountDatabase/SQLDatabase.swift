package import Logging

/// A database engine: transactions, and nothing else.
///
/// The methods that take a body give it a connection that is valid inside it only. A body does no other input or
/// output, takes clock and randomness as values, and may run more than once: the result of its last run counts. An
/// error that a body throws reaches the caller unchanged, after the body's work was undone.
///
/// An engine throws ``SQLDatabaseError`` with the code `unavailable` when the database cannot answer (busy, full,
/// closed, out of reach) or the outcome of a commit is unknown. Any other failure of a statement is a defect of the
/// program. The engine's own error is thrown then, without the statement's values. Cancelling the calling task stops
/// none of them.
package protocol SQLDatabase: Sendable {
    /// The words of a table definition, as this engine spells them.
    var dialect: SQLDialect { get }

    /// Runs a body that only reads, in one snapshot of everything committed before the call.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Returns the few rows that one statement finds by their keys.
    ///
    /// The statement sees everything that was committed before the call. An engine may run it with less effort than a
    /// ``read(_:)``.
    /// - Parameter decode: takes the columns from left to right. It may run on the caller's thread, so it must not wait
    ///   for anything. It may run again for the same rows.
    func lookUp<Value: Sendable>(
        _ statement: SQLStatement, _ values: [SQLValue],
        decode: @escaping @Sendable (inout SQLColumns) throws -> Value
    ) async throws -> [Value]

    /// Runs a body as one transaction: all of it is kept when this returns, nothing when it throws.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Runs a body as one transaction while no other process runs one of this kind, by an exclusive transaction or an
    /// advisory lock.
    func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Refuses new work, finishes the work that waits, and closes. A second call waits for the first.
    func close() async throws
}

extension SQLDatabase {
    package func lookUp<Value: Sendable>(
        _ statement: SQLStatement, _ values: [SQLValue],
        decode: @escaping @Sendable (inout SQLColumns) throws -> Value
    ) async throws -> [Value] {
        try await read { try $0.query(statement, values, decode: decode) }
    }
}

/// The place where the accounts are kept.
///
/// Each engine adds a way to name one: `AccountSQLite` adds `.sqlite(_:)`, `AccountPostgres` adds
/// `.postgres(_:password:connections:)`. Nothing is opened before the domain opens it.
public struct AccountStorage: Sendable {
    /// Opens the engine. Throws ``SQLDatabaseError`` when it cannot be opened.
    package let open: @Sendable (Logger) async throws -> any SQLDatabase

    package init(open: @escaping @Sendable (Logger) async throws -> any SQLDatabase) {
        self.open = open
    }
}
