import AccountSQL
import GRDB

/// A row of GRDB's, read strictly: SQLite itself would turn any type into any other.
struct SQLiteRow: SQLRow {
    private let row: Row

    init(_ row: Row) {
        self.row = row
    }

    func isNull(_ column: Int) throws -> Bool {
        guard column < row.count else { throw SQLRowError(column: column, expected: "there") }
        return row.hasNull(atIndex: column)
    }

    func text(_ column: Int) throws -> String {
        guard case .string(let text) = try storage(column) else { throw SQLRowError(column: column, expected: "text") }
        return text
    }

    func bytes(_ column: Int) throws -> [UInt8] {
        guard case .blob(let data) = try storage(column) else { throw SQLRowError(column: column, expected: "bytes") }
        return [UInt8](data)
    }

    func int64(_ column: Int) throws -> Int64 {
        guard case .int64(let number) = try storage(column) else {
            throw SQLRowError(column: column, expected: "a number")
        }
        return number
    }

    func flag(_ column: Int) throws -> Bool {
        switch try storage(column) {
        case .int64(0): false
        case .int64(1): true
        default: throw SQLRowError(column: column, expected: "a flag")
        }
    }

    private func storage(_ column: Int) throws -> DatabaseValue.Storage {
        guard column < row.count else { throw SQLRowError(column: column, expected: "there") }
        return try row.decode(DatabaseValue.self, atIndex: column).storage
    }
}
