import GRDB

/// What SQLite said of a statement: the cause in an `AccountError`, or thrown as it is when the program is at fault.
///
/// Its text is SQLite's own and the statement's; the values of the statement are not in it.
public struct SQLiteFailure: Error, Hashable, CustomStringConvertible {
    /// SQLite's extended result code.
    public let code: Int32
    public let message: String
    /// The statement, with its parameters unfilled.
    public let statement: String?

    init(_ error: DatabaseError) {
        code = error.extendedResultCode.rawValue
        message = error.message ?? "no message"
        statement = error.sql
    }

    public var description: String {
        let place = statement.map { " in: \($0)" } ?? ""
        return "SQLite \(code): \(message)\(place)"
    }
}
