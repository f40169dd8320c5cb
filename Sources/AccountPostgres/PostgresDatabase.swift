#if PostgreSQL
    public import AccountDatabase
    package import Logging

    /// A PostgreSQL database, for more than one server or more than one machine.
    ///
    /// Each connection belongs to a thread of its own; a transaction takes one for as long as it runs. A transaction
    /// that meets a deadlock, or loses its connection before it is committed, runs again; one whose commit is not
    /// answered does not, and its caller gets `unavailable`. Close it last, or put it first into the service group,
    /// which does that.
    package final class PostgresDatabase: SQLDatabase {
        private let pool: PostgresPool
        private let limits: PostgresLimits

        init(_ parameters: PostgresParameters, limits: PostgresLimits, logger: Logger) {
            pool = PostgresPool(parameters, limits, logger: logger)
            self.limits = limits
        }

        /// Reads the address. It connects at the first call.
        ///
        /// - Parameters:
        ///   - address: as PostgreSQL's own programs take it, `postgres://user:password@host:port/database?sslmode=…`;
        ///     missing parts come from the usual environment variables. A server on another machine needs
        ///     `sslmode=verify-full`. A pooler between this process and the server has to pool sessions, not
        ///     transactions.
        ///   - password: the role's password, beside an address that holds none.
        ///   - connections: the maximum number of open connections.
        /// - Throws: `SQLDatabaseError` with the code `configuration` for an address that cannot be read or would not be
        ///   safe.
        package convenience init(
            address: String, password: PostgresPassword? = nil, connections: Int = 8, logger: Logger
        ) throws(SQLDatabaseError) {
            var limits = PostgresLimits()
            limits.connections = max(1, connections)
            self.init(try PostgresParameters(address, password: password), limits: limits, logger: logger)
        }

        /// The default for the maximum number of open connections.
        package static let standardConnections = PostgresLimits().connections

        /// Checks an address without connecting.
        /// - Throws: as ``init(address:password:connections:logger:)``.
        package static func check(address: String) throws(SQLDatabaseError) {
            _ = try PostgresParameters(address)
        }

        /// Whether an address holds a password. False for an address that can't be read.
        package static func hasPassword(address: String) -> Bool {
            do {
                return try PostgresParameters.parse(address)[PostgresParameters.passwordKeyword] != nil
            } catch {
                return false
            }
        }

        package var dialect: SQLDialect { .postgres }

        package func read<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            try await run(.reading, body)
        }

        package func lookUp<Value: Sendable>(
            _ statement: SQLStatement, _ values: [SQLValue],
            decode: @escaping @Sendable (inout SQLColumns) throws -> Value
        ) async throws -> [Value] {
            try await withCheckedThrowingContinuation { caller in
                pool.submit(
                    PostgresLookUp(
                        statement: statement, values: values, decode: decode, latest: .now + limits.waiting,
                        caller: caller))
            }
        }

        package func write<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            try await run(.writing, body)
        }

        package func writeAlone<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            try await run(.writingAlone, body)
        }

        /// Refuses new work, finishes the work that waits, and closes every connection.
        ///
        /// A second call waits for the first. Cancelling the caller does not stop it.
        package func close() async {
            await pool.close()
        }

        private func run<Value: Sendable>(
            _ kind: TransactionKind, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            try await withCheckedThrowingContinuation { caller in
                pool.submit(PostgresTransaction(kind: kind, body: body, latest: .now + limits.waiting, caller: caller))
            }
        }
    }

    extension AccountStorage {
        /// A PostgreSQL database, for more than one server or more than one machine.
        ///
        /// Opening brings the schema up to date. It fails with the code `configuration` for an address or a server that
        /// will not do, and with `unavailable` for a server that cannot be reached.
        ///
        /// - Parameters:
        ///   - address: as PostgreSQL's own programs take it, `postgres://user:password@host:port/database?sslmode=…`;
        ///     missing parts come from the usual environment variables. A server on another machine needs
        ///     `sslmode=verify-full`. A pooler between this process and the server has to pool sessions, not
        ///     transactions.
        ///   - password: the role's password, beside an address that holds none.
        ///   - connections: the maximum number of open connections.
        public static func postgres(
            _ address: String, password: PostgresPassword? = nil, connections: Int = 8
        ) -> Self {
            Self { logger throws(SQLDatabaseError) in
                try PostgresDatabase(address: address, password: password, connections: connections, logger: logger)
            }
        }
    }

    extension SQLDialect {
        /// Collation "C" compares byte by byte whatever the locale of the database, and its indexes outlive an update
        /// of the system's collations.
        static let postgres = SQLDialect(
            id: #"TEXT COLLATE "C""#, text: #"TEXT COLLATE "C""#, bytes: "BYTEA", int64: "BIGINT", flag: "BOOLEAN",
            tableOptions: "", findMigrations: "SELECT 1 WHERE to_regclass('migrations') IS NOT NULL")
    }
#endif
