import AccountSQL
import GRDB
import GRDBSQLite

/// A statement that GRDB has prepared and keeps, run through SQLite's own calls.
///
/// GRDB's arguments and rows can do more than is needed here, and cost as much time as SQLite itself takes.
struct PreparedStatement {
    private let statement: Statement
    private let database: Database
    private let text: String

    init(_ statement: SQLStatement, of database: Database) throws {
        self.statement = try database.cachedStatement(sql: statement.text)
        self.database = database
        text = statement.text
    }

    /// Gives every parameter its value. Call ``reset()`` afterwards, whatever happens in between.
    func bind(_ values: [SQLValue]) throws {
        guard Int(unsafe sqlite3_bind_parameter_count(statement.sqliteStatement)) == values.count else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE, message: "the statement has another number of parameters", sql: text)
        }
        for (position, value) in values.enumerated() {
            guard bind(value.word, at: Int32(position + 1)) == SQLITE_OK else { throw failure() }
        }
    }

    /// Runs until the next row.
    /// - Returns: false when there is none.
    func step() throws -> Bool {
        switch unsafe sqlite3_step(statement.sqliteStatement) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        default: throw failure()
        }
    }

    /// Runs to the end with these values, and shows each row.
    func eachRow(_ values: [SQLValue], visit: (inout SQLColumns) throws -> Void) throws {
        defer { reset() }
        try bind(values)
        while try step() {
            var columns = SQLColumns(row)
            try visit(&columns)
        }
    }

    /// The row that ``step()`` has reached; valid until the next one.
    var row: SQLiteRow { SQLiteRow(of: statement) }

    /// Ends the run. What it returns is the failure of the last step, which has been thrown.
    func reset() {
        _ = unsafe sqlite3_reset(statement.sqliteStatement)
    }

    private func bind(_ word: SQLValue.Word, at index: Int32) -> Int32 {
        switch word {
        case .null:
            return unsafe sqlite3_bind_null(statement.sqliteStatement, index)
        // Where there are no bytes there may be no address either, which SQLite would take for NULL.
        case .id(""), .text(""):
            return unsafe sqlite3_bind_text(statement.sqliteStatement, index, "", 0, Self.isToBeCopied)
        case .bytes([]):
            return unsafe sqlite3_bind_zeroblob(statement.sqliteStatement, index, 0)
        case .id(var text), .text(var text):
            return text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                    unsafe sqlite3_bind_text(
                        statement.sqliteStatement, index, bytes.baseAddress, Int32(bytes.count), Self.isToBeCopied)
                }
            }
        case .bytes(let bytes):
            return unsafe bytes.withUnsafeBytes { bytes in
                unsafe sqlite3_bind_blob(
                    statement.sqliteStatement, index, bytes.baseAddress, Int32(bytes.count), Self.isToBeCopied)
            }
        case .int64(let number):
            return unsafe sqlite3_bind_int64(statement.sqliteStatement, index, number)
        case .flag(let flag):
            return unsafe sqlite3_bind_int64(statement.sqliteStatement, index, flag ? 1 : 0)
        }
    }

    private func failure() -> DatabaseError {
        let connection = unsafe database.sqliteConnection
        return unsafe DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)), sql: text)
    }

    /// SQLite's own name for it is a macro that Swift does not see.
    private static let isToBeCopied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
