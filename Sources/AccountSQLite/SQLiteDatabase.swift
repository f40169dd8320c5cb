public import AccountDatabase
import Dispatch
import GRDB
package import Logging
import TaskSignals

/// A SQLite database: in a file, with write-ahead log and a flush to disk before any write is answered; or in memory.
///
/// Writes that wait at the same time share a transaction. Reads run beside them, each in a snapshot, on threads of
/// their own; look-ups on the caller's. Close it last, or put it first into the service group, which does that.
package final class SQLiteDatabase: SQLDatabase {
    /// The maximum number of writes that share a transaction.
    package static let largestGroup = 128
    /// The time to wait for a lock, in seconds. Commands of the operator are a second process beside the server.
    package static let busyTimeout = 5.0
    /// The length at which the log is copied, in pages of 4 KiB. A page that many groups change is copied once.
    package static let maximumLogLength = 4_000

    /// The time from a deletion until the write-ahead log is emptied, in seconds. Later deletions within this time are
    /// erased together with it.
    package static let erasureDelay = 1.0

    private let writer: any DatabaseWriter
    private let writes: GroupCommit
    private let reads: SharedReads
    /// Nil in memory, where all share one connection.
    private let lookUps: LookUps?
    /// Nil in memory, where there is no log.
    private let checkpoints: Checkpoints?
    private let logger: Logger
    private let closing = Lock<Task<Void, any Error>?>(nil)

    private init(
        writer: any DatabaseWriter, lookUps: LookUps?, checkpoints: Checkpoints?, largestGroup: Int, logger: Logger
    ) {
        self.writer = writer
        self.lookUps = lookUps
        self.checkpoints = checkpoints
        self.writes = GroupCommit(
            writer: writer, checkpoints: checkpoints, largestGroup: largestGroup, logger: logger)
        self.reads = SharedReads(reader: writer, logger: logger)
        self.logger = logger
    }

    /// Opens a file, or makes it (0600, in a folder that is made 0700 if it is not there).
    ///
    /// Throws `SQLDatabaseError` with the code `unavailable` when the file cannot be read or written, and `configuration`
    /// when it cannot be made, or cannot be made durable.
    package static func open(path: String, logger: Logger) async throws -> SQLiteDatabase {
        try await open(path: path, logger: logger, largestGroup: largestGroup)
    }

    /// - Parameters:
    ///   - largestGroup: 1 gives each write a transaction of its own, which measures what sharing is worth.
    ///   - busyTimeout: the time that a statement waits for another process, in seconds.
    ///   - maximumLogLength: the length at which the write-ahead log is copied, in pages.
    ///   - erasureDelay: the time from a deletion until the write-ahead log is emptied, in seconds.
    package static func open(
        path: String, logger: Logger, largestGroup: Int = largestGroup, busyTimeout: Double = busyTimeout,
        maximumLogLength: Int = maximumLogLength, erasureDelay: Double = erasureDelay
    ) async throws -> SQLiteDatabase {
        let (pool, lookUps, checkpoints) = try await opening {
            try DatabaseFile(path: path).createIfMissing()
            let hasLog = Checkpoints.sizeOfLog(at: path) > 0
            let pool = try DatabasePool.withLog(path: path, busyTimeout: busyTimeout)
            try pool.writeWithoutTransaction(DatabaseSettings.makeDurable)
            let lookUps = try LookUps(path: path, busyTimeout: busyTimeout)
            let checkpoints = try Checkpoints(
                path: path, writer: pool, maximumLogLength: maximumLogLength, busyTimeout: busyTimeout,
                erasureDelay: erasureDelay, logger: logger)
            // A process that was killed may have left a deletion in it.
            if hasLog { checkpoints.erase() }
            return (pool, lookUps, checkpoints)
        }
        return SQLiteDatabase(
            writer: pool, lookUps: lookUps, checkpoints: checkpoints, largestGroup: largestGroup, logger: logger)
    }

    /// A database that is gone when it is closed, for tests and trials.
    package static func inMemory(logger: Logger) async throws -> SQLiteDatabase {
        let queue = try await opening {
            let queue = try DatabaseQueue(
                configuration: DatabaseSettings.configuration(label: "siwa.memory", busyTimeout: 0))
            try queue.writeWithoutTransaction(DatabaseSettings.requireForeignKeys)
            return queue
        }
        return SQLiteDatabase(
            writer: queue, lookUps: nil, checkpoints: nil, largestGroup: largestGroup, logger: logger)
    }

    /// Gives this database, which nobody uses yet, everything that another one holds.
    package func fill(from other: SQLiteDatabase) async throws {
        try await Self.onThread { [writer] in try other.writer.backup(to: writer) }
    }

    package var dialect: SQLDialect { .sqlite }

    /// Returns when no removed data that had to be erased is left in the write-ahead log, or after ``close()``.
    package func erased() async { await checkpoints?.erased() }

    /// The number of writes that wait, without those of the transaction under way.
    package var waitingWrites: Int { writes.waitingCount }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { caller in
            reads.submit(PendingRead(body: body, caller: caller))
        }
    }

    /// Runs the statement on the caller's thread, unless too many callers do that at once or the database is locked.
    package func lookUp<Value: Sendable>(
        _ statement: SQLStatement, _ values: [SQLValue],
        decode: @escaping @Sendable (inout SQLColumns) throws -> Value
    ) async throws -> [Value] {
        do {
            if let rows = try lookUps?.rows(of: statement, values, decode: decode) { return rows }
        } catch {
            throw SQLiteFailure.storeError(for: error)
        }
        return try await read { try $0.query(statement, values, decode: decode) }
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { caller in
            writes.submit(PendingWrite(body, caller: caller))
        }
    }

    package func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { caller in
            writes.submitAlone(PendingWrite(body, caller: caller))
        }
    }

    /// Refuses new work, finishes the work that waits, moves the write-ahead log into the file, and closes.
    ///
    /// A second call waits for the first. Cancelling the caller does not stop it.
    package func close() async throws {
        let task = closing.withLock { closing in
            if let closing { return closing }
            let task = Task { try await self.closeOnce() }
            closing = task
            return task
        }
        try await task.value
    }

    private func closeOnce() async throws {
        writes.stop()
        await reads.stop()
        await lookUps?.stop()
        await checkpoints?.stop()
        await withCheckedContinuation { done in
            writer.asyncWriteWithoutTransaction { database in
                do {
                    try database.checkpoint(.truncate)
                } catch {
                    // Another process may be reading. The log stays beside the file, and nothing in it is lost.
                    self.logger.notice(
                        "The write-ahead log was left for the next start.",
                        metadata: ["error": "\(SQLiteFailure.storeError(for: error))"])
                }
                done.resume()
            }
        }
        try await Self.onThread {
            let lookUps = Result { try self.lookUps?.close() }
            let checkpoints = Result { try self.checkpoints?.close() }
            try self.writer.close()
            try lookUps.get()
            try checkpoints.get()
        }
    }

    private static func opening<Opened: Sendable>(_ open: @escaping @Sendable () throws -> Opened) async throws
        -> Opened
    {
        do {
            return try await onThread(open)
        } catch let error as SQLDatabaseError {
            throw error
        } catch {
            throw SQLDatabaseError(.configuration, "The database cannot be opened as it must be.", cause: error)
        }
    }

    /// Runs blocking work on a thread that may wait.
    private static func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { caller in
            DispatchQueue.global(qos: .userInitiated).async {
                caller.resume(with: Result { try work() }.mapError(SQLiteFailure.storeError(for:)))
            }
        }
    }
}

extension AccountStorage {
    /// A SQLite file, for one server on one machine.
    ///
    /// Opening makes the file if it is not there (0600, in a folder that is made 0700), and brings its schema up to
    /// date. It fails with the code `unavailable` when the file cannot be read or written, and with `configuration` when
    /// it cannot be made, or cannot be made durable.
    public static func sqlite(_ path: String) -> Self {
        Self { try await SQLiteDatabase.open(path: path, logger: $0) }
    }

    /// A database that is empty at first and gone when it is closed, for tests and trials.
    public static var inMemory: Self {
        Self { try await SQLiteDatabase.inMemory(logger: $0) }
    }
}

extension SQLDialect {
    /// Strict tables keep a column's type. Without a row id a table is stored in the order of its key, which is one
    /// tree less to write.
    static let sqlite = SQLDialect(
        id: "TEXT", text: "TEXT", bytes: "BLOB", int64: "INTEGER", flag: "INTEGER",
        tableOptions: " STRICT, WITHOUT ROWID",
        findMigrations: "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'migrations'")
}
