import AccountDatabase
import GRDB

/// The connection that one body gets: on GRDB's queue, until ``end()``.
final class SQLiteConnection: SQLConnection {
    private let database: Database
    /// The error that further statements throw: that of the first statement that failed, or that the body is over.
    private(set) var failure: (any Error)?
    /// Whether the body has called ``eraseRemoved()``.
    private(set) var erases = false

    init(_ database: Database) {
        self.database = database
    }

    /// Called when the body has returned.
    /// - Returns: the failure of a statement, even if the body hid it.
    func end() -> (any Error)? {
        defer { failure = failure ?? SQLiteFailure(DatabaseError(resultCode: .SQLITE_MISUSE, message: "body is over")) }
        return failure
    }

    func execute(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Int {
        try keepingFailure {
            let prepared = try PreparedStatement(statement, of: database)
            defer { prepared.reset() }
            try prepared.bind(values)
            while try prepared.step() {}
            return database.changesCount
        }
    }

    /// Does nothing: a writer has the database to itself, since transactions begin with `BEGIN IMMEDIATE`.
    func lock(_ number: Int64) throws {}

    /// The write-ahead log keeps each changed page as it was after each change. See ``Checkpoints/erase()``.
    func eraseRemoved() { erases = true }

    func eachRow(
        of statement: SQLStatement, _ values: [SQLValue], visit: (inout SQLColumns) throws -> Void
    ) throws {
        try keepingFailure {
            try PreparedStatement(statement, of: database).eachRow(values, visit: visit)
        }
    }

    private func keepingFailure<Value>(_ work: () throws -> Value) throws -> Value {
        if let failure { throw failure }
        do {
            return try work()
        } catch {
            let storeError = SQLiteFailure.storeError(for: error)
            failure = storeError
            throw storeError
        }
    }
}

extension Database {
    /// Runs a statement that is prepared once.
    func run(_ statement: String) throws {
        try cachedStatement(sql: statement).execute()
    }
}
