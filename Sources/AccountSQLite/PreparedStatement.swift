import AccountDatabase
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

    /// Gives every parameter its value. Call ``reset()`` afterwards, also after an error.
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

    /// Ends the run. SQLite's reset returns the failure of the last step, which has been thrown.
    func reset() {
        _ = unsafe sqlite3_reset(statement.sqliteStatement)
    }

    private func bind(_ word: SQLValue.Word, at index: Int32) -> Int32 {
        switch word {
        case .null:
            return unsafe sqlite3_bind_null(statement.sqliteStatement, index)
        // Empty text may have no address either, which SQLite would take for NULL.
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

/// The row at which a statement stands, read strictly: SQLite itself would turn any type into any other.
struct SQLiteRow: SQLRow {
    private let statement: Statement

    init(of statement: Statement) {
        self.statement = statement
    }

    func isNull(_ column: Int) throws -> Bool {
        try type(of: column) == SQLITE_NULL
    }

    func text(_ column: Int) throws -> String {
        guard try type(of: column) == SQLITE_TEXT,
            let start = unsafe sqlite3_column_text(statement.sqliteStatement, Int32(column))
        else { throw SQLRowError(column: column, expected: "text") }
        let count = Int(unsafe sqlite3_column_bytes(statement.sqliteStatement, Int32(column)))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func bytes(_ column: Int) throws -> [UInt8] {
        guard try type(of: column) == SQLITE_BLOB else { throw SQLRowError(column: column, expected: "bytes") }
        // No address where there are no bytes.
        let start = unsafe sqlite3_column_blob(statement.sqliteStatement, Int32(column))
        let count = Int(unsafe sqlite3_column_bytes(statement.sqliteStatement, Int32(column)))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    func int64(_ column: Int) throws -> Int64 {
        guard try type(of: column) == SQLITE_INTEGER else {
            throw SQLRowError(column: column, expected: "a number")
        }
        return unsafe sqlite3_column_int64(statement.sqliteStatement, Int32(column))
    }

    func flag(_ column: Int) throws -> Bool {
        guard try type(of: column) == SQLITE_INTEGER else { throw SQLRowError(column: column, expected: "a flag") }
        switch unsafe sqlite3_column_int64(statement.sqliteStatement, Int32(column)) {
        case 0: return false
        case 1: return true
        default: throw SQLRowError(column: column, expected: "a flag")
        }
    }

    private func type(of column: Int) throws -> Int32 {
        guard column >= 0, column < Int(unsafe sqlite3_data_count(statement.sqliteStatement)) else {
            throw SQLRowError(column: column, expected: "there")
        }
        return unsafe sqlite3_column_type(statement.sqliteStatement, Int32(column))
    }
}
