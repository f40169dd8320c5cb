import AccountDatabase
import Dispatch
import GRDB
import Logging
import TaskSignals

/// Runs reads on a few threads of their own: those that wait at the same time share a snapshot, and a thread goes on to
/// the next ones without being woken.
///
/// A read takes less time than handing it to a thread and back does. So another thread joins only when there is a long
/// queue, or when the first that waits has waited for a while: then those before it take long, one or all together.
final class SharedReads: Sendable {
    private struct State {
        var queue = ReadQueue<any PendingReading>()
        /// The number of threads that read, or are about to.
        var lanes = 0
        /// Whether a check is scheduled that adds a thread if reads still wait.
        var isWatched = false
        var isStopped = false
        var whenNone: CheckedContinuation<Void, Never>?

        /// - Returns: whether to start a thread.
        mutating func addLane(if isNeeded: Bool) -> Bool {
            guard isNeeded, lanes < SharedReads.lanes, queue.waiting > 0 else { return false }
            lanes += 1
            return true
        }
    }

    /// The maximum number of threads. GRDB's pool has this number of reading connections.
    static let lanes = 4
    private static let longQueue = 16
    private static let longWait: DispatchTimeInterval = .milliseconds(5)

    private let reader: any DatabaseReader
    private let logger: Logger
    private let state = Lock(State())

    init(reader: any DatabaseReader, logger: Logger) {
        self.reader = reader
        self.logger = logger
    }

    func submit(_ read: some PendingReading) {
        // Nothing slow happens under the lock, because threads that wait for it spin.
        let (isTaken, needsLane, watched) = state.withLock { state in
            guard !state.isStopped else { return (false, false, nil as UInt64?) }
            state.queue.append(read)
            if state.addLane(if: state.queue.waiting > Self.longQueue * state.lanes) { return (true, true, nil) }
            guard !state.isWatched else { return (true, false, nil) }
            state.isWatched = true
            return (true, false, state.queue.asked)
        }
        if !isTaken { read.refuse(SQLDatabaseError.databaseIsClosed) }
        if needsLane { startLane() }
        if let watched { watch(since: watched) }
    }

    private func startLane() {
        // GRDB's own async reads throw when the calling task is cancelled; this does not know of tasks.
        reader.asyncUnsafeRead { self.drain($0) }
    }

    /// Checks after a while whether a read that was asked for until now still waits. If so, it adds a thread.
    private func watch(since asked: UInt64) {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.longWait) {
            let (needsLane, watched) = self.state.withLock { state in
                let needsLane = state.addLane(if: state.queue.hasWaited(since: asked))
                state.isWatched = state.queue.waiting > 0
                return (needsLane, state.isWatched ? state.queue.asked as UInt64? : nil)
            }
            if needsLane { self.startLane() }
            if let watched { self.watch(since: watched) }
        }
    }

    /// Lets no further read begin, and returns when the last has ended. It is called once.
    func stop() async {
        await withCheckedContinuation { waiter in
            let isIdle = state.withLock { state in
                state.isStopped = true
                if state.lanes > 0 { state.whenNone = waiter }
                return state.lanes == 0
            }
            if isIdle { waiter.resume() }
        }
    }

    private func drain(_ connection: Result<Database, any Error>) {
        while let last = lastAsked() {
            let database: Database
            do {
                database = try connection.get()
                // The snapshot is that of the first statement, which comes after all up to `last` were asked for.
                try database.run("BEGIN DEFERRED")
            } catch {
                while let read = state.withLock({ $0.queue.take(upTo: last) }) { read.refuse(error) }
                continue
            }
            // One at a time: another thread takes those behind one that takes long. If disk or memory failed, SQLite
            // has left the snapshot, and the next ones need another.
            while database.isInsideTransaction, let read = state.withLock({ $0.queue.take(upTo: last) }) {
                read.run(on: database)
            }
            end(of: database)
        }
    }

    /// Ends the transaction. It has written nothing, and every read is answered, so only an open transaction would
    /// matter.
    private func end(of database: Database) {
        guard database.isInsideTransaction else { return }
        do {
            try database.run("COMMIT")
        } catch {
            do {
                try database.rollback()
            } catch {
                logger.error(
                    "A snapshot could not be left.", metadata: ["error": "\(SQLiteFailure.storeError(for: error))"])
            }
        }
    }

    /// - Returns: nil when no read waits any more; then this thread is done.
    private func lastAsked() -> UInt64? {
        let (last, waiter) = state.withLock { state in
            guard state.queue.waiting == 0 else {
                return (state.queue.asked as UInt64?, nil as CheckedContinuation<Void, Never>?)
            }
            state.lanes -= 1
            guard state.lanes == 0 else { return (nil, nil) }
            defer { state.whenNone = nil }
            return (nil, state.whenNone)
        }
        waiter?.resume()
        return last
    }
}

/// One read that waits for its turn. It is run or refused once, and its caller gets the outcome.
protocol PendingReading: Sendable {
    /// Runs the body and gives the caller the outcome.
    func run(on database: Database)

    func refuse(_ error: any Error)
}

/// The one read of a ``SQLiteDatabase/read(_:)``.
struct PendingRead<Value: Sendable>: PendingReading {
    let body: @Sendable (any SQLConnection) throws -> Value
    let caller: CheckedContinuation<Value, any Error>

    func run(on database: Database) {
        let outcome = Result { try database.readOnly { try SQLiteConnection.running(body, on: database) } }
        caller.resume(with: outcome.mapError(SQLiteFailure.storeError(for:)))
    }

    func refuse(_ error: any Error) {
        caller.resume(throwing: SQLiteFailure.storeError(for: error))
    }
}
