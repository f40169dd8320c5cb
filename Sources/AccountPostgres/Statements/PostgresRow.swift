#if PostgreSQL
    import AccountSQL
    import CPostgres

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
