import AccountSQL
import Foundation
import GRDB

/// The connection that one body gets: on GRDB's queue, until ``end()``.
final class SQLiteConnection: SQLConnection {
    private let database: Database
    /// Set by the first statement that failed, and when the body is over: why nothing can run any more.
    private(set) var failure: (any Error)?

    init(_ database: Database) {
        self.database = database
    }

    /// Called when the body has returned.
    /// - Returns: what failed inside it, even if the body hid it.
    func end() -> (any Error)? {
        defer { failure = failure ?? SQLiteFailure(DatabaseError(resultCode: .SQLITE_MISUSE, message: "body is over")) }
        return failure
    }

    func execute(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Int {
        try keepingFailure {
            try database.cachedStatement(sql: statement.text).execute(arguments: Self.arguments(values))
            return database.changesCount
        }
    }

    /// Whoever writes here has the database to themselves: transactions begin with `BEGIN IMMEDIATE`.
    func lock(_ number: Int64) throws {}

    func query<Value>(
        _ statement: SQLStatement, _ values: [SQLValue], decode: (inout SQLColumns) throws -> Value
    ) throws -> [Value] {
        try keepingFailure {
            let prepared = try database.cachedStatement(sql: statement.text)
            let rows = try Row.fetchCursor(prepared, arguments: Self.arguments(values))
            var answer: [Value] = []
            while let row = try rows.next() {
                var columns = SQLColumns(SQLiteRow(row))
                try answer.append(decode(&columns))
            }
            return answer
        }
    }

    private func keepingFailure<Value>(_ work: () throws -> Value) throws -> Value {
        if let failure { throw failure }
        do {
            return try work()
        } catch {
            let told = SQLiteFailure.told(error)
            failure = told
            throw told
        }
    }

    private static func arguments(_ values: [SQLValue]) -> StatementArguments {
        StatementArguments(
            values.map { value -> DatabaseValue in
                switch value.word {
                case .null: .null
                case .id(let text), .text(let text): text.databaseValue
                case .bytes(let bytes): Data(bytes).databaseValue
                case .int64(let number): number.databaseValue
                case .flag(let flag): flag.databaseValue
                }
            })
    }
}
