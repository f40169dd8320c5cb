import AccountSQL
import GRDB
import GRDBSQLite

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
