#if PostgreSQL
    /// The time limits of transactions and connections, and the maximum sizes of the pool and its queue.
    struct PostgresLimits: Sendable {
        /// The maximum number of open connections. Each belongs to a thread.
        var connections = 8
        /// The time limit for opening a connection, over all servers that the address names.
        var connecting: Duration = .seconds(5)
        /// The time limit for looking up one name, on top of ``connecting``. It is longer than the 5 seconds after which a
        /// system asks its next name server.
        var lookingUp: Duration = .seconds(6)
        /// The time limit for a transaction and its repeats.
        var transaction: Duration = .seconds(15)
        /// The time limit for a transaction that runs alone, with the wait for its turn. It is long, because such a
        /// transaction brings the schema of a large database up to date, while other servers wait to do the same.
        var transactionAlone: Duration = .seconds(600)
        /// The time limit for one attempt to lock a table, in a transaction that runs alone. Every later statement for
        /// the same table waits behind the attempt. So an attempt is short, and is repeated.
        var lockAlone: Duration = .seconds(2)
        /// The pause between two attempts to lock a table.
        var pauseAlone: Duration = .seconds(5)
        /// The maximum time that work waits for a connection.
        var waiting: Duration = .seconds(10)
        /// The maximum number of transactions that wait for a connection. If more wait, the database has been stuck for a
        /// while.
        var maximumQueueLength = 8_192
        /// The maximum number of repeats of a transaction that met a deadlock, or lost its connection before COMMIT.
        var repeats = 4

        /// Returns the time limit for a transaction and its repeats.
        func duration(of kind: TransactionKind) -> Duration {
            kind == .writingAlone ? transactionAlone : transaction
        }

        /// The settings that each connection gives the server. Their time limits, in milliseconds, are shorter than the
        /// limits here. So the server says what is wrong, and a client that is gone keeps no lock.
        var settings: [String] {
            let statement = transaction / 3 * 2
            return [
                "SET statement_timeout = \(Self.milliseconds(statement))",
                "SET lock_timeout = \(Self.milliseconds(statement / 2))",
                "SET idle_in_transaction_session_timeout = \(Self.milliseconds(transaction))",
                "SET client_min_messages = error",
                // A look-up is a transaction of its own, and must not write. Those that write say so.
                "SET default_transaction_read_only = on",
            ]
        }

        /// The settings that replace ``settings`` until the end of a transaction that runs alone.
        var settingsAlone: String {
            let milliseconds = Self.milliseconds(transactionAlone)
            return "SET LOCAL statement_timeout = \(milliseconds); SET LOCAL lock_timeout = \(milliseconds)"
        }

        /// The setting that follows ``settingsAlone`` once no other transaction runs alone.
        var settingsInTurn: String { "SET LOCAL lock_timeout = \(Self.milliseconds(lockAlone))" }

        private static func milliseconds(_ duration: Duration) -> Int64 {
            let (seconds, attoseconds) = duration.components
            return max(1, seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
        }
    }
#endif
