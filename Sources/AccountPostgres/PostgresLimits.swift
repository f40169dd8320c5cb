#if PostgreSQL
    /// How long PostgreSQL may take, and how much waits for it.
    struct PostgresLimits: Sendable {
        /// How many connections are open at most; each belongs to a thread.
        var connections = 8
        /// From the first packet to a connection that can be used.
        var connecting: Duration = .seconds(5)
        /// One transaction, repeats included.
        var transaction: Duration = .seconds(15)
        /// One transaction that runs alone, the wait for its turn included: the schema of a large database is brought
        /// up to date in it, while other servers wait to do the same.
        var transactionAlone: Duration = .seconds(600)
        /// How long a transaction that runs alone waits for a table. Others who ask for the same table later wait
        /// behind it, whatever they want to do there; so the transaction does not wait for long, but often.
        var lockAlone: Duration = .seconds(2)
        /// Between two such attempts.
        var restAlone: Duration = .seconds(5)
        /// How long work waits for a connection.
        var waiting: Duration = .seconds(10)
        /// How many transactions wait for a connection. With more, the server has been stuck for a while.
        var longestQueue = 8_192
        /// How often a transaction is run again that met a deadlock or lost its connection before COMMIT.
        var repeats = 4

        /// How long a transaction may take, repeats included.
        func duration(of kind: TransactionKind) -> Duration {
            kind == .writingAlone ? transactionAlone : transaction
        }

        /// The settings that each connection gives the server, in milliseconds: shorter than the waits here, so that
        /// the server says what is wrong, and a client that has gone keeps no lock.
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

        /// Takes the place of ``settings`` until the end of a transaction that runs alone.
        var settingsAlone: String {
            let milliseconds = Self.milliseconds(transactionAlone)
            return "SET LOCAL statement_timeout = \(milliseconds); SET LOCAL lock_timeout = \(milliseconds)"
        }

        /// Follows ``settingsAlone`` once nobody else runs alone.
        var settingsInTurn: String { "SET LOCAL lock_timeout = \(Self.milliseconds(lockAlone))" }

        private static func milliseconds(_ duration: Duration) -> Int64 {
            let (seconds, attoseconds) = duration.components
            return max(1, seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
        }
    }
#endif
