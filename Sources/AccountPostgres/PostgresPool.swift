#if PostgreSQL
    import AccountDatabase
    import Dispatch
    import Foundation
    import Logging
    import TaskSignals

    /// The jobs that wait for a connection, and the threads that have one connection each.
    final class PostgresPool: Sendable {
        private struct State {
            var waiting: [any PostgresJob] = []
            /// The number of jobs at the front of `waiting` that were taken. They stay there, because removing from the
            /// front of an array moves all others.
            var taken = 0
            var isClosed = false
            var running: Int
            var closers: [CheckedContinuation<Void, Never>] = []
        }

        private let limits: PostgresLimits
        private let state: Lock<State>
        /// Is signaled once for each job that is submitted, and once for each thread when the pool closes.
        private let arrivals = DispatchSemaphore(value: 0)

        init(_ parameters: PostgresParameters, _ limits: PostgresLimits, logger: Logger) {
            self.limits = limits
            state = Lock(State(running: limits.connections))
            let hosts = PostgresHosts(parameters)
            for number in 0..<limits.connections {
                let thread = Thread { [self] in
                    let worker = PostgresWorker(hosts, limits, logger: logger)
                    while let job = next() { job.run(on: worker) }
                    worker.close()
                    end()
                }
                thread.name = "siwa.postgres.\(number)"
                thread.start()
            }
        }

        func submit(_ job: some PostgresJob) {
            let refusal: SQLDatabaseError? = state.withLock { state in
                guard !state.isClosed else { return .databaseIsClosed }
                guard state.waiting.count - state.taken < limits.maximumQueueLength else { return .tooMuchWaits }
                state.waiting.append(job)
                return nil
            }
            if let refusal {
                job.refuse(refusal)
            } else {
                arrivals.signal()
            }
        }

        /// Refuses new jobs, finishes those that wait, and returns when every connection is closed.
        func close() async {
            await withCheckedContinuation { closer in
                let isDone = state.withLock { state in
                    if !state.isClosed {
                        state.isClosed = true
                        for _ in 0..<limits.connections { arrivals.signal() }
                    }
                    if state.running > 0 { state.closers.append(closer) }
                    return state.running == 0
                }
                if isDone { closer.resume() }
            }
        }

        /// Waits for a job, and refuses those that have waited too long.
        /// - Returns: nil when the pool is closed and no job waits any more.
        private func next() -> (any PostgresJob)? {
            while true {
                arrivals.wait()
                let job: (any PostgresJob)? = state.withLock { state in
                    guard state.taken < state.waiting.count else { return nil }
                    defer {
                        state.taken += 1
                        if state.taken > state.waiting.count / 2 {
                            state.waiting.removeFirst(state.taken)
                            state.taken = 0
                        }
                    }
                    return state.waiting[state.taken]
                }
                guard let job else { return nil }
                if job.latest > .now { return job }
                job.refuse(SQLDatabaseError.tooMuchWaits)
            }
        }

        private func end() {
            let closers = state.withLock { state in
                state.running -= 1
                return state.running == 0 ? state.closers : []
            }
            closers.forEach { $0.resume() }
        }
    }

    extension SQLDatabaseError {
        /// The error of work that was refused because too much waits.
        fileprivate static var tooMuchWaits: SQLDatabaseError {
            SQLDatabaseError(.unavailable, "Too much waits for the database.", cause: DatabaseOverload())
        }
    }

    /// One transaction that waits for a connection. It runs on a worker's thread, and is answered once.
    protocol PostgresJob: Sendable {
        /// The time after which it is too late to begin.
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
            caller.resume(with: outcome.mapError(PostgresFailure.storeError(for:)))
        }

        func refuse(_ error: any Error) {
            caller.resume(throwing: error)
        }
    }

    /// The job of one look-up of ``PostgresDatabase``.
    struct PostgresLookUp<Value: Sendable>: PostgresJob {
        let statement: SQLStatement
        let values: [SQLValue]
        let decode: @Sendable (inout SQLColumns) throws -> Value
        let latest: ContinuousClock.Instant
        let caller: CheckedContinuation<[Value], any Error>

        func run(on worker: PostgresWorker) {
            let outcome = Result { try worker.lookUp(statement, values, decode: decode) }
            caller.resume(with: outcome.mapError(PostgresFailure.storeError(for:)))
        }

        func refuse(_ error: any Error) {
            caller.resume(throwing: error)
        }
    }

    /// The kind of a transaction, which decides how it begins.
    enum TransactionKind: Sendable {
        /// One snapshot, no writes.
        case reading
        case writing
        /// Writes while no other process runs a transaction of this kind.
        case writingAlone

        var beginning: SQLStatement {
            switch self {
            case .reading: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .writing, .writingAlone: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
            }
        }
    }
#endif
