#if PostgreSQL
    import CPostgres

    /// What the server answered to one statement, freed with this value. Used by the link's thread alone.
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

        /// How many rows an INSERT, UPDATE or DELETE touched; 0 for any other statement.
        var touchedRows: Int {
            guard let text = unsafe PQcmdTuples(raw) else { return 0 }
            return unsafe Int(String(cString: text)) ?? 0
        }

        /// Nil when the statement did what it should.
        func failure(of statement: String?) -> PostgresFailure? {
            let status = unsafe PQresultStatus(raw)
            if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK { return nil }
            guard let state = field(PostgresFailure.stateField) else {
                return PostgresFailure(.lost, message: "the server's answer has no state", statement: statement)
            }
            // What is wrong with a value may be told with the value.
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
#endif
