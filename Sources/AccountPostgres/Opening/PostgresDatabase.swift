#if PostgreSQL
    public import AccountSQL
    public import AccountService
    public import Logging

    /// A PostgreSQL database, for more than one server or more than one machine.
    ///
    /// Each connection belongs to a thread of its own; a transaction takes one for as long as it runs. A transaction
    /// that meets a deadlock, or loses its connection before it is committed, runs again; one whose commit is not
    /// answered does not, and its caller gets `unavailable`. Close it last, or put it first into the service group,
    /// which does that.
    public final class PostgresDatabase: SQLDatabase {
        private let pool: PostgresPool
        private let limits: PostgresLimits
        private let watch: DatabaseWatch

        init(_ parameters: PostgresParameters, limits: PostgresLimits, logger: Logger) {
            pool = PostgresPool(parameters, limits, logger: logger)
            self.limits = limits
            watch = DatabaseWatch(logger: logger)
        }

        /// Reads the address, and connects when first asked something.
        ///
        /// - Parameters:
        ///   - address: as PostgreSQL's own programs take it, `postgres://user:password@host:port/database?sslmode=…`;
        ///     what is missing comes from the usual environment. A server on another machine is spoken to with
        ///     `sslmode=verify-full` only. Between here and the server there may be a pooler of sessions, not of
        ///     transactions.
        ///   - connections: how many are open at most.
        /// - Throws: `AccountError` with the code `configuration` for an address that cannot be read or would not be
        ///   safe.
        public convenience init(address: String, connections: Int = 8, logger: Logger) throws(AccountError) {
            var limits = PostgresLimits()
            limits.connections = max(1, connections)
            self.init(try PostgresParameters(address), limits: limits, logger: logger)
        }

        /// How many connections are open at most, where nobody says otherwise.
        package static let standardConnections = PostgresLimits().connections

        /// Looks at an address without connecting.
        /// - Throws: as ``init(address:connections:logger:)``.
        package static func check(address: String) throws(AccountError) {
            _ = try PostgresParameters(address)
        }

        public var dialect: SQLDialect { .postgres }

        public func read<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            try await run(.reading, body)
        }

        public func write<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            try await run(.writing, body)
        }

        public func writeAlone<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            try await run(.writingAlone, body)
        }

        /// Refuses new work, does what was asked for before, and closes every connection.
        ///
        /// A second call waits for the first. Cancelling the caller does not stop it.
        public func close() async {
            await pool.close()
        }

        private func run<Value: Sendable>(
            _ kind: TransactionKind, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            try await watch.watching(kind == .reading ? .reads : .writes) {
                try await withCheckedThrowingContinuation { caller in
                    pool.submit(
                        PostgresTransaction(kind: kind, body: body, latest: .now + limits.waiting, caller: caller))
                }
            }
        }
    }
#endif
