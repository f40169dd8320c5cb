/// An error of a database engine, or of a value that no engine can take.
///
/// An engine throws it when it cannot do its work; the statement itself was right. A statement that is wrong fails with
/// the engine's own error instead, because the program is at fault. Equal to another error with the same code.
package struct SQLDatabaseError: Error, Equatable, CustomStringConvertible {
    /// The kind of error, which tells the caller what to do.
    package enum Code: String, Sendable {
        /// The engine cannot open the database as it must be opened. The operator must act.
        case configuration
        /// A text contains U+0000, which PostgreSQL cannot store and at which SQLite would cut the text.
        case invalidText
        /// A newer version of the program has changed the schema.
        case tooNew
        /// The database cannot answer now, or did not say whether it kept what was written.
        case unavailable
    }

    package let code: Code
    /// One sentence for people, without values of a statement.
    package let reason: String
    /// The error of the engine or of the system, if there is one.
    package let cause: (any Error)?
    package let file: String
    package let line: UInt

    package init(
        _ code: Code, _ reason: String, cause: (any Error)? = nil, file: String = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.reason = reason
        self.cause = cause
        self.file = file
        self.line = line
    }

    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    package var description: String { "\(code): \(reason)" }

    /// The error of a call to a database that is closed.
    package static var databaseIsClosed: Self { Self(.unavailable, "The database is closed.") }
}

/// An error that an engine gives as the cause of ``SQLDatabaseError/Code/unavailable`` when the database cannot answer.
/// An error of that code without such a cause comes from the program itself, which closes the database.
package protocol DatabaseFailure: Error {
    /// The engine's own words, in one line, without the statement and its values.
    var words: String { get }
}

/// The cause of an error when more work waits for the database than it can do.
package struct DatabaseOverload: DatabaseFailure, CustomStringConvertible {
    package init() {}

    package var words: String { "work arrives faster than the database does it" }
    package var description: String { words }
}
