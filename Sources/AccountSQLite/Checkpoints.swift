import Foundation
import GRDB
import GRDBSQLite
import Logging
import TaskSignals

/// Moves the pages of the write-ahead log into the database's file, beside the writer.
///
/// SQLite lets the commit that fills the log do this, and every other write waits for it. Here another connection
/// copies while the writer goes on. The log can begin anew only when every page is copied. While others write, some
/// pages are always left. So the writer copies the last few pages itself.
///
/// The log must not begin anew while the other connection copies: SQLite before 3.51.3 can then take new pages for
/// copied, and lose them (https://sqlite.org/wal.html#walresetbug). So a third connection reads meanwhile, which keeps
/// the log as it is.
///
/// The log holds each page as it was after each change, and so the data of people who are deleted. After a deletion it
/// is copied soon in the same way, and then the writer empties it, but never while the other connection copies. The log
/// can't be emptied while somebody reads from it. Then nobody waits, and the writer tries again later.
final class Checkpoints: Sendable {
    private enum Phase {
        /// The log has this number of pages.
        case gathering(pages: Int)
        case copying
        /// The pages that there were are copied; the writer copies the rest, at one commit after the other until the
        /// log begins anew.
        case finishing(attempts: Int)
    }

    private struct State {
        var phase: Phase
        var isStopped = false
        var whenIdle: CheckedContinuation<Void, Never>?
        var erasure = Erasure.none
        /// The number of failed attempts to empty the log since it was last empty.
        var failedErasures = 0
        var whenErased: [CheckedContinuation<Void, Never>] = []
    }

    private enum Erasure {
        case none
        /// The log is to be emptied when the delay is over.
        case waiting
        /// The log is to be emptied by the writer as soon as nobody copies.
        case due
    }

    /// The maximum delay, in seconds. The delay doubles up to it while a reader keeps the log from being emptied.
    private static let maximumErasureDelay = 60.0

    /// The number of commits that try to let the log begin anew while a reader prevents it. After them the log may grow
    /// by another quarter.
    private static let attempts = 16
    /// The size of a page with its head.
    private static let bytesOfPage = 4_096 + 24

    private let writer: any DatabaseWriter
    private let copier: DatabaseQueue
    private let reader: DatabaseQueue
    private let maximumLogLength: Int
    private let busyTimeout: Double
    private let erasureDelay: Double
    private let logger: Logger
    private let state: Lock<State>

    /// - Parameters:
    ///   - path: the path of a database that is open already, and stays open.
    ///   - writer: the writer that has the database open.
    ///   - maximumLogLength: the length at which the log is copied, in pages.
    ///   - busyTimeout: the time that opening waits for another process, in seconds.
    ///   - erasureDelay: the time from a deletion until the log is emptied, in seconds.
    init(
        path: String, writer: any DatabaseWriter, maximumLogLength: Int, busyTimeout: Double, erasureDelay: Double,
        logger: Logger
    ) throws {
        self.writer = writer
        self.busyTimeout = busyTimeout
        self.erasureDelay = erasureDelay
        copier = try DatabaseQueue(
            path: path,
            configuration: DatabaseSettings.configuration(label: "siwa.checkpoints", busyTimeout: busyTimeout))
        try copier.writeWithoutTransaction(DatabaseSettings.makeDurable)
        var reading = DatabaseSettings.configuration(label: "siwa.checkpoints.reader", busyTimeout: busyTimeout)
        reading.readonly = true
        reader = try DatabaseQueue(path: path, configuration: reading)
        self.maximumLogLength = maximumLogLength
        self.logger = logger
        state = Lock(State(phase: .gathering(pages: Self.sizeOfLog(at: path) / Self.bytesOfPage)))
    }

    /// Returns the log's size in bytes: a process that was killed may have left it, or another one may be writing. The
    /// file is never shorter than the log in it.
    static func sizeOfLog(at path: String) -> Int {
        let size = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        return size ?? 0
    }

    /// Counts the pages of a commit. The writer calls it after the commit, outside a transaction.
    func committed(on writer: Database) {
        let pages = writer.takeWrittenPages()
        let phase = state.withLock { state in
            if case .gathering(let before) = state.phase {
                let isLong = before + pages >= maximumLogLength && !state.isStopped
                state.phase = isLong ? .copying : .gathering(pages: before + pages)
                return isLong ? .copying : nil as Phase?
            }
            guard case .finishing = state.phase else { return nil }
            return state.phase
        }
        switch phase {
        case .copying: copier.asyncWriteWithoutTransaction { self.copy($0) }
        case .finishing(let attempts): finish(on: writer, attempts: attempts)
        case .gathering, nil: break
        }
    }

    /// Copies the log to the disk, and then the pages that came meanwhile, so that the writer has little left to copy.
    private func copy(_ database: Database) {
        do {
            for _ in 0..<2 {
                try reader.unsafeRead { holder in
                    try holder.run("BEGIN DEFERRED")
                    defer { letGo(holder) }
                    try holder.holdLog()
                    try database.copyLog()
                }
                try database.flushFile()
            }
        } catch {
            warn(of: error)
        }
        let (waiter, isDue) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
            state.phase = .finishing(attempts: 0)
            defer { state.whenIdle = nil }
            return (state.whenIdle, state.erasure == .due && !state.isStopped)
        }
        // The next commit may be a long time away.
        if isDue { writer.asyncWriteWithoutTransaction { self.committed(on: $0) } }
        waiter?.resume()
    }

    // MARK: Erasing

    /// Schedules the emptying of the log. The writer calls it after it has committed a removal.
    func erase() {
        let begins = state.withLock { state in
            guard state.erasure == .none, !state.isStopped else { return false }
            state.erasure = .waiting
            return true
        }
        if begins { eraseLater(after: erasureDelay) }
    }

    private func eraseLater(after delay: Double) {
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in self?.beginErasing() }
    }

    /// Copies beside the writer first, so that little is left for it.
    private func beginErasing() {
        let phase: Phase? = state.withLock { state in
            guard state.erasure == .waiting, !state.isStopped else { return nil }
            state.erasure = .due
            let phase = state.phase
            if case .gathering = phase { state.phase = .copying }
            return phase
        }
        switch phase {
        case .gathering: copier.asyncWriteWithoutTransaction { self.copy($0) }
        case .finishing: writer.asyncWriteWithoutTransaction { self.committed(on: $0) }
        case .copying, nil: break
        }
    }

    /// Empties the log if that is due, on the writer's connection, while nobody copies.
    /// - Returns: whether the log is empty.
    private func emptyIfDue(_ writer: Database) -> Bool {
        guard state.withLock({ $0.erasure == .due }) else { return false }
        let isEmpty: Bool
        do {
            isEmpty = try writer.emptyLog(busyTimeout: busyTimeout)
        } catch {
            warn(of: error)
            isEmpty = false
        }
        let (delay, waiters) = state.withLock { state -> (Double?, [CheckedContinuation<Void, Never>]) in
            guard !isEmpty else {
                state.phase = .gathering(pages: 0)
                state.erasure = .none
                state.failedErasures = 0
                defer { state.whenErased = [] }
                return (nil, state.whenErased)
            }
            state.erasure = .waiting
            state.failedErasures += 1
            let factor = Double(1 << min(state.failedErasures, 10))
            return (min(erasureDelay * factor, Self.maximumErasureDelay), [])
        }
        for waiter in waiters { waiter.resume() }
        if let delay { eraseLater(after: delay) }
        return isEmpty
    }

    /// Returns when nothing is left to be erased, or at once after ``stop()``: closing empties the log.
    func erased() async {
        await withCheckedContinuation { waiter in
            let isDone = state.withLock { state in
                if state.erasure == .none || state.isStopped { return true }
                state.whenErased.append(waiter)
                return false
            }
            if isDone { waiter.resume() }
        }
    }

    private func finish(on writer: Database, attempts: Int) {
        if emptyIfDue(writer) { return }
        do {
            let length = try writer.copyLog()
            let isOver = length.map { $0 < maximumLogLength } ?? false
            let next: Phase =
                if isOver {
                    .gathering(pages: length ?? 0)
                } else if attempts < Self.attempts {
                    .finishing(attempts: attempts + 1)
                } else {
                    .gathering(pages: maximumLogLength - maximumLogLength / 4)
                }
            state.withLock { $0.phase = next }
        } catch {
            warn(of: error)
            state.withLock { $0.phase = .gathering(pages: maximumLogLength - maximumLogLength / 4) }
        }
    }

    private func letGo(_ holder: Database) {
        do {
            try holder.rollback()
        } catch {
            warn(of: error)
        }
    }

    /// Logs a failure. Nothing is lost: what was committed is in the log, and the next turn tries again.
    private func warn(of error: any Error) {
        logger.warning(
            "The write-ahead log could not be copied into the database's file.",
            metadata: ["error": "\(SQLiteFailure.storeError(for: error))"])
    }

    /// Stops copying, and returns when the copy under way has ended. It is called once.
    func stop() async {
        await withCheckedContinuation { waiter in
            let (isIdle, waiters) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                state.isStopped = true
                // Closing empties the log.
                defer { state.whenErased = [] }
                let waiters = state.whenErased
                guard case .copying = state.phase else { return (true, waiters) }
                state.whenIdle = waiter
                return (false, waiters)
            }
            for waiter in waiters { waiter.resume() }
            if isIdle { waiter.resume() }
        }
    }

    /// Closes both connections, even if the first can't be closed. Call it after ``stop()``, where waiting is allowed.
    func close() throws {
        let closed = Result { try copier.close() }
        try reader.close()
        try closed.get()
    }
}

extension Database {
    /// Returns the number of pages that this connection has written into the log since the last call.
    func takeWrittenPages() -> Int {
        var pages: Int32 = 0
        var highest: Int32 = 0
        let code = unsafe sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 1)
        return code == SQLITE_OK ? Int(pages) : 0
    }

    /// Copies pages from the log into the file, without waiting for readers or other processes.
    /// - Returns: the number of pages in the log, or nil while another process copies.
    @discardableResult
    func copyLog() throws -> Int? {
        var pages: Int32 = 0
        let code = unsafe sqlite3_wal_checkpoint_v2(sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, nil)
        guard code != SQLITE_BUSY else { return nil }
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage)
        }
        return Int(pages)
    }

    /// Copies the log to its end and empties its file, unless a reader or another process prevents it. It doesn't wait.
    /// - Parameter busyTimeout: the busy timeout that this connection has otherwise, in seconds.
    /// - Returns: whether the file is empty.
    func emptyLog(busyTimeout: Double) throws -> Bool {
        _ = unsafe sqlite3_busy_timeout(sqliteConnection, 0)
        defer { _ = unsafe sqlite3_busy_timeout(sqliteConnection, Int32(busyTimeout * 1_000)) }
        let code = unsafe sqlite3_wal_checkpoint_v2(sqliteConnection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code != SQLITE_BUSY else { return false }
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage)
        }
        return true
    }

    /// Reads inside a transaction. Until the transaction ends, the log doesn't begin anew, or nothing is copied from
    /// it.
    func holdLog() throws {
        try run("SELECT count(*) FROM (SELECT 1 FROM sqlite_master LIMIT 1)")
    }

    /// Waits until the file itself, without the log, is on the disk. SQLite does so only when the log has been copied
    /// to its end.
    ///
    /// SQLite flushes the file itself: to open and close the file here would take away the locks that SQLite has on it.
    func flushFile() throws {
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        let found = unsafe sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        guard found == SQLITE_OK, let file = unsafe pointer, let flush = unsafe file.pointee.pMethods?.pointee.xSync
        else {
            throw DatabaseError(resultCode: ResultCode(rawValue: found), message: "the database has no file")
        }
        let code = unsafe flush(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY)
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "the file could not be flushed")
        }
    }
}
