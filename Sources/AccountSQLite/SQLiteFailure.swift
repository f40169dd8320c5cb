import AccountDatabase
import GRDB

/// SQLite's error for a statement. It is the cause of an `SQLDatabaseError`, or is thrown itself when the program is at
/// fault.
///
/// Its text has SQLite's message and the statement, without the statement's values.
package struct SQLiteFailure: Error, Hashable, CustomStringConvertible {
    /// SQLite's extended result code.
    package let code: Int32
    package let message: String
    /// The statement, with its parameters unfilled.
    package let statement: String?

    init(_ error: DatabaseError) {
        code = error.extendedResultCode.rawValue
        message = error.message ?? "no message"
        statement = error.sql
    }

    package var description: String {
        let place = statement.map { " in: \($0)" } ?? ""
        return "SQLite \(code): \(message)\(place)"
    }
}

extension SQLiteFailure: DatabaseFailure {
    package var words: String { "SQLite \(code): \(message)" }

    /// Returns the error that a caller of the store gets for one of GRDB's errors: `unavailable` when the database cannot
    /// answer, the plain failure when the program is at fault. Any other error stays as it is.
    static func storeError(for error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        let failure = SQLiteFailure(error)
        guard let reason = reason(of: error.resultCode) else { return failure }
        return SQLDatabaseError(.unavailable, reason, cause: failure)
    }

    /// Returns nil for a code that only a wrong statement or wrong use can cause.
    private static func reason(of code: ResultCode) -> String? {
        switch code {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            "The database is in use by another process."
        case .SQLITE_FULL:
            "The disk or the database is full."
        case .SQLITE_IOERR, .SQLITE_NOMEM:
            "The database's disk or memory failed."
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
            "The database cannot be opened or written."
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT:
            "The database is damaged, or not a database."
        case .SQLITE_INTERRUPT, .SQLITE_ABORT:
            "The database stopped what it was doing."
        default:
            nil
        }
    }
}

extension SQLDatabaseError {
    /// The error of a write that was refused because too many wait.
    static var tooManyWrites: SQLDatabaseError {
        SQLDatabaseError(.unavailable, "Too many writes wait for the database.", cause: DatabaseOverload())
    }
}
