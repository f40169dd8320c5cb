import Foundation
import GRDB
import GRDBSQLite
import Logging
import TaskSignals

/// Moves the pages of the write-ahead log into the database's file, beside the writer.
///
/// SQLite lets the commit that fills the log do it, and everybody waits behind that one. Here another connection copies
/// while the writer goes on. The log can begin anew only when nothing is left to be copied, and while others write
/// something always is: so the writer copies the last of it itself, which is little.
///
/// The log must not begin anew while the other connection copies: SQLite before 3.51.3 can then take new pages for
/// copied, and lose them (https://sqlite.org/wal.html#walresetbug). So a third connection reads meanwhile, which keeps
/// the log as it is.
///
/// The log holds each page as it was after each change, and so the data of people who are deleted, until it is long
/// enough to be copied. After a deletion it is copied soon in the same way, and then emptied by the writer, which never
/// does so while the other connection copies. The log can't be emptied while somebody reads from it. Then nobody waits,
/// and it is tried again.
final class Checkpoints: Sendable {
    private enum Phase {
        /// The log has gathered so many pages.
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
        /// How often the log could not be emptied since it was last empty.
        var vainErasures = 0
        var whenErased: [CheckedContinuation<Void, Never>] = []
    }

    private enum Erasure {
        case none
        /// The log is to be emptied when the delay is over.
        case waiting
        /// The log is to be emptied by the writer as soon as nobody copies.
        case due
    }

    /// The longest delay, in seconds. The delay doubles up to this while somebody is in the way.
    private static let longestErasureDelay = 60.0

    /// A reader at the old log keeps it from beginning anew. After so many commits it may grow by another quarter.
    private static let attempts = 16
    /// The size of a page with its head.
    private static let bytesOfPage = 4_096 + 24

    private let writer: any DatabaseWriter
    private let copier: DatabaseQueue
    private let reader: DatabaseQueue
    private let longestLog: Int
    private let busyTimeout: Double
    private let erasureDelay: Double
    private let logger: Logger
    private let state: Lock<State>

    /// - Parameters:
    ///   - path: of a database that is open already, and stays so.
    ///   - writer: the one that has it open.
    ///   - longestLog: in pages; how long the log may become before it is copied.
    ///   - busyTimeout: in seconds; how long opening waits for another process.
    ///   - erasureDelay: in seconds; how soon after a deletion the log is emptied.
    init(
        path: String, writer: any DatabaseWriter, longestLog: Int, busyTimeout: Double, erasureDelay: Double,
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
        self.longestLog = longestLog
        self.logger = logger
        state = Lock(State(phase: .gathering(pages: Self.sizeOfLog(at: path) / Self.bytesOfPage)))
    }

    /// Returns the log's size in bytes: a process that was killed may have left it, or another one may be writing. The
    /// file is never shorter than the log in it.
    static func sizeOfLog(at path: String) -> Int {
        let size = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        return size ?? 0
    }

    /// Counts the pages of a commit. To be called by the writer, outside a transaction, after it has committed.
    func committed(on writer: Database) {
        let pages = writer.takeWrittenPages()
        let phase = state.withLock { state in
            if case .gathering(let before) = state.phase {
                let isLong = before + pages >= longestLog && !state.isStopped
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

    /// Copies, and then what has come meanwhile, each time to the disk: then the writer has little to wait for.
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
        // Perhaps nobody commits anything for a long time.
        if isDue { writer.asyncWriteWithoutTransaction { self.committed(on: $0) } }
        waiter?.resume()
    }

    // MARK: Erasing

    /// Has the log emptied soon. To be called by the writer, after it has committed a removal.
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
                state.vainErasures = 0
                defer { state.whenErased = [] }
                return (nil, state.whenErased)
            }
            state.erasure = .waiting
            state.vainErasures += 1
            let factor = Double(1 << min(state.vainErasures, 10))
            return (min(erasureDelay * factor, Self.longestErasureDelay), [])
        }
        for waiter in waiters { waiter.resume() }
        if let delay { eraseLater(after: delay) }
        return isEmpty
    }

    /// Returns when nothing is left to be erased.
    func erased() async {
        await withCheckedContinuation { waiter in
            let isDone = state.withLock { state in
                if state.erasure != .none { state.whenErased.append(waiter) }
                return state.erasure == .none
            }
            if isDone { waiter.resume() }
        }
    }

    private func finish(on writer: Database, attempts: Int) {
        if emptyIfDue(writer) { return }
        do {
            let length = try writer.copyLog()
            let isOver = length.map { $0 < longestLog } ?? false
            let next: Phase =
                if isOver {
                    .gathering(pages: length ?? 0)
                } else if attempts < Self.attempts {
                    .finishing(attempts: attempts + 1)
                } else {
                    .gathering(pages: longestLog - longestLog / 4)
                }
            state.withLock { $0.phase = next }
        } catch {
            warn(of: error)
            state.withLock { $0.phase = .gathering(pages: longestLog - longestLog / 4) }
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
            metadata: ["error": "\(SQLiteFailure.told(error))"])
    }

    /// Lets no further turn begin, and returns when the last has ended. Called once.
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

    /// Closes both connections, whatever becomes of the first. To be called after ``stop()``, where waiting is allowed.
    func close() throws {
        let closed = Result { try copier.close() }
        try reader.close()
        try closed.get()
    }
}

extension Database {
    /// How many pages this connection has written into the log since it was last asked.
    func takeWrittenPages() -> Int {
        var pages: Int32 = 0
        var highest: Int32 = 0
        let code = unsafe sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 1)
        return code == SQLITE_OK ? Int(pages) : 0
    }

    /// Copies from the log into the file what can be copied without waiting for anybody.
    /// - Returns: how many pages the log has, or nil while another process copies.
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

    /// Copies the log to its end and empties its file, unless somebody is in the way: nobody is waited for.
    /// - Parameter busyTimeout: in seconds; what this connection waits for otherwise.
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

    /// Reads, inside a transaction: until its end the log does not begin anew, or nothing is copied from it.
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
