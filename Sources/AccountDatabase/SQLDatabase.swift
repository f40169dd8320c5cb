package import Logging

/// A database engine: transactions, and nothing else.
///
/// The methods that take a body give it a connection that is valid inside it only. A body does no other input or
/// output, takes clock and randomness as values, and may run more than once: what it returned the last time counts. An
/// error that a body throws reaches the caller unchanged, after the body's work was undone.
///
/// An engine throws ``SQLDatabaseError`` with the code `unavailable` when the database cannot answer (busy, full, closed,
/// out of reach) or the outcome of a commit is unknown. Any other failure of a statement is a defect of the program, and
/// is thrown as the engine tells it, without the statement's values. Cancelling the calling task stops none of them.
package protocol SQLDatabase: Sendable {
    /// How this engine spells the words of a table definition.
    var dialect: SQLDialect { get }

    /// Runs a body that only reads, in one snapshot of everything committed before the call.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// The rows that one statement finds by their keys: few, and without looking at many.
    ///
    /// It is its own snapshot of everything committed before the call, so an engine may do without what a
    /// ``read(_:)`` needs.
    /// - Parameter decode: takes the columns from left to right. It may run on the caller's thread, so it must not wait
    ///   for anything; and again for rows that it has seen, as a body may.
    func lookUp<Value: Sendable>(
        _ statement: SQLStatement, _ values: [SQLValue],
        decode: @escaping @Sendable (inout SQLColumns) throws -> Value
    ) async throws -> [Value]

    /// Runs a body as one transaction: all of it is kept when this returns, nothing when it throws.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// A ``write(_:)`` beside which no other process runs one of these: an exclusive transaction, or an advisory lock.
    func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Refuses new work, does what was asked for before, and closes. A second call waits for the first.
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
