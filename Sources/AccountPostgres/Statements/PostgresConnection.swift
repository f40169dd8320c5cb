#if PostgreSQL
    import AccountSQL

    /// The connection that one body gets: on the link's thread, until ``end()``.
    final class PostgresConnection: SQLConnection {
        private let link: PostgresLink
        /// When the transaction has to be over.
        private let deadline: ContinuousClock.Instant
        /// Set by the first statement that failed, and when the body is over: why nothing can run any more.
        private var failure: (any Error)?

        init(_ link: PostgresLink, deadline: ContinuousClock.Instant) {
            self.link = link
            self.deadline = deadline
        }

        /// Called when the body has returned.
        /// - Returns: what failed inside it, even if the body hid it.
        func end() -> (any Error)? {
            defer { failure = failure ?? PostgresFailure(.misuse, message: "the body is over") }
            return failure
        }

        func execute(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Int {
            try keepingFailure { try link.run(statement, values, until: deadline).touchedRows }
        }

        func eachRow(
            of statement: SQLStatement, _ values: [SQLValue], visit: (inout SQLColumns) throws -> Void
        ) throws {
            try keepingFailure {
                let result = try link.run(statement, values, until: deadline)
                for row in 0..<result.rowCount {
                    var columns = SQLColumns(PostgresRow(result: result, row: row))
                    try visit(&columns)
                }
            }
        }

        func lock(_ number: Int64) throws {
            _ = try keepingFailure { try link.run(.lock, [.int64(number)], until: deadline) }
        }

        private func keepingFailure<Value>(_ work: () throws -> Value) throws -> Value {
            if let failure { throw failure }
            do {
                return try work()
            } catch {
                failure = error
                throw error
            }
        }
    }

    extension SQLStatement {
        /// Lasts until the end of the transaction.
        fileprivate static let lock: Self = "SELECT pg_advisory_xact_lock(?1)"
    }
#endif
