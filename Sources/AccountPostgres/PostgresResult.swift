#if PostgreSQL
    import AccountDatabase
    import CPostgres

    /// The server's answer to one statement, freed with this value. Used by the link's thread alone.
    @safe final class PostgresResult {
        private let raw: OpaquePointer

        init(_ raw: OpaquePointer) {
            unsafe self.raw = raw
        }

        deinit {
            unsafe PQclear(raw)
        }

        var rowCount: Int { Int(unsafe PQntuples(raw)) }
        var columnCount: Int { Int(unsafe PQnfields(raw)) }

        /// The number of rows that an INSERT, UPDATE or DELETE touched; 0 for any other statement.
        var touchedRows: Int {
            guard let text = unsafe PQcmdTuples(raw) else { return 0 }
            return unsafe Int(String(cString: text)) ?? 0
        }

        /// Shows each row.
        func eachRow(_ visit: (inout SQLColumns) throws -> Void) throws {
            for row in 0..<rowCount {
                var columns = SQLColumns(PostgresRow(result: self, row: row))
                try visit(&columns)
            }
        }

        /// Returns the failure of the statement; nil if it succeeded.
        func failure(of statement: String?) -> PostgresFailure? {
            let status = unsafe PQresultStatus(raw)
            if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK { return nil }
            guard let state = field(PostgresFailure.stateField) else {
                return PostgresFailure(.lost, message: "the server's answer has no state", statement: statement)
            }
            // The server may repeat a value in its message about what is wrong with it.
            let isAboutValues = state.hasPrefix("22")
            let message = isAboutValues ? nil : field(PostgresFailure.messageField)
            return PostgresFailure(
                .refused(state: state), message: message ?? "no message", statement: statement)
        }

        func type(_ column: Int) -> Oid { unsafe PQftype(raw, Int32(clamping: column)) }

        func isNull(_ row: Int, _ column: Int) -> Bool {
            unsafe PQgetisnull(raw, Int32(clamping: row), Int32(clamping: column)) == 1
        }

        /// The value's bytes; none for null.
        func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
            let (row, column) = (Int32(clamping: row), Int32(clamping: column))
            let start = unsafe PQgetvalue(raw, row, column)
            return unsafe UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(raw, row, column)))
        }

        private func field(_ code: Int32) -> String? {
            unsafe PQresultErrorField(raw, code).map { unsafe String(cString: $0) }
        }
    }

    /// A row of an answer in binary form, read strictly: by the types that the server names.
    struct PostgresRow: SQLRow {
        let result: PostgresResult
        let row: Int

        func isNull(_ column: Int) throws -> Bool {
            try check(column)
            return result.isNull(row, column)
        }

        func text(_ column: Int) throws -> String {
            // The server itself refuses what is not UTF-8.
            let bytes = try unsafe value(column, [ServerType.text], "text")
            return unsafe String(decoding: bytes, as: UTF8.self)
        }

        func bytes(_ column: Int) throws -> [UInt8] {
            let bytes = try unsafe value(column, [ServerType.bytes], "bytes")
            return unsafe [UInt8](bytes)
        }

        func int64(_ column: Int) throws -> Int64 {
            let types = [ServerType.int64, ServerType.int32, ServerType.int16]
            let bytes = try unsafe value(column, types, "a number")
            // Big-endian; what is shorter than eight bytes keeps its sign.
            let sign: UInt64 = unsafe (bytes.first ?? 0) >= 0x80 ? .max : 0
            return Int64(bitPattern: unsafe bytes.reduce(sign) { $0 << 8 | UInt64($1) })
        }

        func flag(_ column: Int) throws -> Bool {
            let bytes = try unsafe value(column, [ServerType.flag], "a flag")
            return unsafe bytes.first == 1
        }

        private func check(_ column: Int) throws {
            guard column < result.columnCount else { throw SQLRowError(column: column, expected: "there") }
        }

        private func value(_ column: Int, _ types: [Oid], _ expected: String) throws -> UnsafeRawBufferPointer {
            try check(column)
            guard types.contains(result.type(column)), !result.isNull(row, column) else {
                throw SQLRowError(column: column, expected: expected)
            }
            return unsafe result.bytes(row, column)
        }
    }
#endif
