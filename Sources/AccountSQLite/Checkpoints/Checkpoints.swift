import Foundation
import GRDB
import Logging
import Synchronization

/// Moves what the write-ahead log has gathered into the database's file, beside the writer.
///
/// SQLite lets the commit that fills the log do it, and everybody waits behind that one. Here another connection copies
/// while the writer goes on. Only when nothing is left to be copied can the log begin anew, and while others write
/// something always is: so the writer copies the last of it itself, which is little. Where a reader is still at the old
/// log it grows on, and the next turn tries again.
final class Checkpoints: Sendable {
    private enum Phase {
        /// The log has gathered so many pages since the last turn.
        case gathering(pages: Int)
        case copying
        /// What there was is copied; the writer copies the rest.
        case copied
    }

    private struct State {
        var phase = Phase.gathering(pages: 0)
        var isStopped = false
        var whenIdle: CheckedContinuation<Void, Never>?
    }

    /// In pages of 4 KiB: what many groups change alike is copied once.
    static let longestLog = 4_000

    private let connection: DatabaseQueue
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameter path: of a database that is open already, and stays so.
    init(path: String, logger: Logger) throws {
        var configuration = DatabaseSettings.configuration(label: "siwa.checkpoints", busyTimeout: 0)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        connection = try DatabaseQueue(path: path, configuration: configuration)
        self.logger = logger
    }

    /// To be called by the writer, outside a transaction, after it has committed.
    func committed(on writer: Database) {
        let pages = writer.takeWrittenPages()
        let turn = state.withLock { state in
            switch state.phase {
            case .gathering(let before):
                guard before + pages >= Self.longestLog, !state.isStopped else {
                    state.phase = .gathering(pages: before + pages)
                    return nil as Phase?
                }
                state.phase = .copying
            case .copying:
                return nil
            case .copied:
                state.phase = .gathering(pages: 0)
                return .copied
            }
            return state.phase
        }
        switch turn {
        case .copying: connection.asyncWriteWithoutTransaction { self.copy($0) }
        case .copied: attempt { try writer.copyLog() }
        case .gathering, nil: break
        }
    }

    /// Copies, and then what has come meanwhile, each time to the disk: then the writer has little to wait for.
    private func copy(_ database: Database) {
        for _ in 0..<2 {
            attempt {
                try database.copyLog()
                try database.flushFile()
            }
        }
        let waiter = state.withLock { state in
            state.phase = .copied
            defer { state.whenIdle = nil }
            return state.whenIdle
        }
        waiter?.resume()
    }

    /// Nothing is lost when it fails: what was committed is in the log, and the next turn tries again.
    private func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            logger.warning(
                "The write-ahead log could not be copied into the database's file.",
                metadata: ["error": "\(SQLiteFailure.told(error))"])
        }
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

    /// To be called after ``stop()``, where waiting is allowed.
    func close() throws {
        try connection.close()
    }
}
