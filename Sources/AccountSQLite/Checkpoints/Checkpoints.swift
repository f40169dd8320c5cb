import Foundation
import GRDB
import Logging
import Synchronization

/// Moves what the write-ahead log has gathered into the database's file, beside the writer.
///
/// SQLite lets the commit that fills the log do it, and everybody waits behind that one. Here another connection copies
/// while the writer goes on. Only when nothing is left to be copied can the log begin anew, and while others write
/// something always is: so the writer copies the last of it itself, which is little.
///
/// The log must not begin anew while the other connection copies: SQLite before 3.51.3 can then take what is new in it
/// for copied, and lose it (https://sqlite.org/wal.html#walresetbug). So a third connection reads meanwhile, which
/// keeps the log as it is.
final class Checkpoints: Sendable {
    private enum Phase {
        /// The log has gathered so many pages.
        case gathering(pages: Int)
        case copying
        /// What there was is copied; the writer copies the rest, at one commit after the other until the log begins anew.
        case finishing(attempts: Int)
    }

    private struct State {
        var phase: Phase
        var isStopped = false
        var whenIdle: CheckedContinuation<Void, Never>?
    }

    /// A reader at the old log keeps it from beginning anew. After so many commits it may grow by another quarter.
    private static let attempts = 16
    /// With its head.
    private static let bytesOfPage = 4_096 + 24

    private let copier: DatabaseQueue
    private let reader: DatabaseQueue
    private let longestLog: Int
    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameters:
    ///   - path: of a database that is open already, and stays so.
    ///   - longestLog: in pages; how long the log may become before it is copied.
    ///   - busyTimeout: in seconds; how long opening waits for another process.
    init(path: String, longestLog: Int, busyTimeout: Double, logger: Logger) throws {
        copier = try DatabaseQueue(
            path: path,
            configuration: DatabaseSettings.configuration(label: "siwa.checkpoints", busyTimeout: busyTimeout))
        try copier.writeWithoutTransaction(DatabaseSettings.makeDurable)
        var reading = DatabaseSettings.configuration(label: "siwa.checkpoints.reader", busyTimeout: busyTimeout)
        reading.readonly = true
        reader = try DatabaseQueue(path: path, configuration: reading)
        self.longestLog = longestLog
        self.logger = logger
        // What a process has left that was killed. The file is never shorter than the log in it.
        let left = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        state = Mutex(State(phase: .gathering(pages: (left ?? 0) / Self.bytesOfPage)))
    }

    /// To be called by the writer, outside a transaction, after it has committed.
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
        let waiter = state.withLock { state in
            state.phase = .finishing(attempts: 0)
            defer { state.whenIdle = nil }
            return state.whenIdle
        }
        waiter?.resume()
    }

    private func finish(on writer: Database, attempts: Int) {
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

    /// Nothing is lost when it fails: what was committed is in the log, and the next turn tries again.
    private func warn(of error: any Error) {
        logger.warning(
            "The write-ahead log could not be copied into the database's file.",
            metadata: ["error": "\(SQLiteFailure.told(error))"])
    }

    /// Lets no further turn begin, and returns when the last has ended. Called once.
    func stop() async {
        await withCheckedContinuation { waiter in
            let isIdle = state.withLock { state in
                state.isStopped = true
                guard case .copying = state.phase else { return true }
                state.whenIdle = waiter
                return false
            }
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
