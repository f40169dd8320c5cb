#if PostgreSQL
    import AccountSQL

    /// One transaction that waits for a connection: run on a worker's thread, and answered once.
    protocol PostgresJob: Sendable {
        /// When it is too late to begin.
        var latest: ContinuousClock.Instant { get }

        func run(on worker: PostgresWorker)

        /// Tells the caller that nothing was done.
        func refuse(_ error: any Error)
    }

    /// The job of one read or write of ``PostgresDatabase``.
    struct PostgresTransaction<Value: Sendable>: PostgresJob {
        let kind: TransactionKind
        let body: @Sendable (any SQLConnection) throws -> Value
        let latest: ContinuousClock.Instant
        let caller: CheckedContinuation<Value, any Error>

        func run(on worker: PostgresWorker) {
            let outcome = Result { try worker.perform(kind, body) }
            caller.resume(with: outcome.mapError(PostgresFailure.told))
        }

        func refuse(_ error: any Error) {
            caller.resume(throwing: error)
        }
    }

    /// How a transaction begins.
    enum TransactionKind: Sendable {
        /// One snapshot, no writes.
        case reading
        case writing
        /// No other process runs one of these at the same time.
        case writingAlone

        var beginning: SQLStatement {
            switch self {
            case .reading: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .writing, .writingAlone: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
            }
        }
    }
#endif
