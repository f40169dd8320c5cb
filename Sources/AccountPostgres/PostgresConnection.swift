#if PostgreSQL
    import AccountDatabase

    /// The connection that one body gets: on the link's thread, until ``end()``.
    ///
    /// A statement whose outcome nobody asks for waits for the next one, and travels with it: BEGIN, locks, and what
    /// ``executeLater(_:_:)`` was given. A statement that still waits when the body is over travels with COMMIT.
    final class PostgresConnection: SQLConnection {
        /// The maximum number of statements that wait. If more wait, they are sent, so that a body that writes many
        /// rows needs little memory.
        private static let maximumWaitingStatements = 128

        private let link: PostgresLink
        /// The time at which the transaction has to be over.
        private let deadline: ContinuousClock.Instant
        /// The statements that were not sent yet.
        private var waiting: [SQLStep]
        /// Whether the server knows of the transaction.
        private(set) var hasBegun: Bool
        /// The error that further statements throw: that of the first statement that failed, or that the body is over.
        private var failure: (any Error)?

        /// - Parameter beginning: begins the transaction together with the first statement. Nil where it has begun.
        init(_ link: PostgresLink, beginning: SQLStatement?, deadline: ContinuousClock.Instant) {
            self.link = link
            self.deadline = deadline
            waiting = beginning.map { [SQLStep($0)] } ?? []
            hasBegun = beginning == nil
        }

        /// Called when the body has returned.
        /// - Returns: the failure of a statement, even if the body hid it, or the statements that still wait. BEGIN is
        ///   among them only if other statements are.
        func end() -> Result<[SQLStep], any Error> {
            defer { failure = failure ?? PostgresFailure(.misuse, message: "the body is over") }
            if let failure { return .failure(failure) }
            return .success(hasBegun || waiting.count > 1 ? waiting : [])
        }

        func execute(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Int {
            try keepingFailure { try send([SQLStep(statement, values)]).last?.touchedRows ?? 0 }
        }

        func eachRow(
            of statement: SQLStatement, _ values: [SQLValue], visit: (inout SQLColumns) throws -> Void
        ) throws {
            try keepingFailure { try send([SQLStep(statement, values)]).last?.eachRow(visit) }
        }

        func run(_ batch: [SQLStep]) throws -> [Int] {
            try keepingFailure {
                guard !batch.isEmpty else { return [] }
                return try zip(batch, send(batch)).map { step, result in
                    guard let visit = step.visit else { return result.touchedRows }
                    try result.eachRow(visit)
                    return result.rowCount
                }
            }
        }

        func executeLater(_ statement: SQLStatement, _ values: [SQLValue]) throws {
            try keepingFailure {
                waiting.append(SQLStep(statement, values))
                if waiting.count > Self.maximumWaitingStatements { _ = try send([]) }
            }
        }

        /// The server runs the statements of a flight one after the other, each in a snapshot of its own: what travels
        /// with the lock sees what was committed before the lock was given.
        func lock(_ number: Int64) throws {
            try executeLater(.lock, [.int64(number)])
        }

        /// Sends the statements that wait, and these after them.
        /// - Returns: the results of these.
        private func send(_ steps: [SQLStep]) throws -> ArraySlice<PostgresResult> {
            let flight = waiting + steps
            waiting = []
            hasBegun = true
            return try link.run(flight, until: deadline).get().suffix(steps.count)
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
