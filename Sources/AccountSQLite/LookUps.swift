import AccountDatabase
import Foundation
import GRDB
import TaskSignals

/// Connections for look-ups, which run on the caller's thread.
///
/// Finding a row by its key takes a few microseconds, nearly always in memory, and handing it to another thread and
/// back takes more. So a look-up waits neither for a connection nor for a lock: where it would have to, it is not run
/// here. A read that may take long is no look-up.
final class LookUps: Sendable {
    private struct State {
        var free: [DatabaseQueue]
        var inUse = 0
        var isClosed = false
        var whenNone: CheckedContinuation<Void, Never>?
    }

    /// The number of connections. More would stand idle: each is used by a thread that computes.
    static let connections = max(2, min(8, ProcessInfo.processInfo.activeProcessorCount))

    /// The codes that SQLite answers instead of waiting for another process.
    private static let inUse: [ResultCode] = [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL]

    private let state: Lock<State>

    /// - Parameter path: the path of a database that is open already, and stays open.
    /// - Parameter busyTimeout: the time that opening waits for another process, in seconds.
    init(path: String, busyTimeout: Double) throws {
        var configuration = DatabaseSettings.configuration(label: "siwa.look-ups", busyTimeout: busyTimeout)
        configuration.readonly = true
        let free = try (0..<Self.connections).map { _ in
            let connection = try DatabaseQueue(path: path, configuration: configuration)
            try connection.unsafeRead { database in
                try DatabaseSettings.keepPages(of: database)
                try DatabaseSettings.disableWaiting(database)
            }
            return connection
        }
        state = Lock(State(free: free))
    }

    /// - Returns: nil when the statement was not run, because no connection is free or the database is locked.
    func rows<Value>(
        of statement: SQLStatement, _ values: [SQLValue], decode: (inout SQLColumns) throws -> Value
    ) throws -> [Value]? {
        guard let connection = take() else { return nil }
        defer { giveBack(connection) }
        do {
            return try connection.unsafeRead { database in
                var rows: [Value] = []
                try PreparedStatement(statement, of: database).eachRow(values) { try rows.append(decode(&$0)) }
                return rows
            }
        } catch let error as DatabaseError where Self.inUse.contains(error.resultCode) {
            return nil
        }
    }

    private func take() -> DatabaseQueue? {
        state.withLock { state in
            guard !state.isClosed, let connection = state.free.popLast() else { return nil }
            state.inUse += 1
            return connection
        }
    }

    private func giveBack(_ connection: DatabaseQueue) {
        let waiter = state.withLock { state in
            state.free.append(connection)
            state.inUse -= 1
            guard state.inUse == 0 else { return nil as CheckedContinuation<Void, Never>? }
            defer { state.whenNone = nil }
            return state.whenNone
        }
        waiter?.resume()
    }

    /// Lets no further look-up begin, and returns when the last has ended. It is called once.
    func stop() async {
        await withCheckedContinuation { waiter in
            let isIdle = state.withLock { state in
                state.isClosed = true
                if state.inUse > 0 { state.whenNone = waiter }
                return state.inUse == 0
            }
            if isIdle { waiter.resume() }
        }
    }

    /// Closes every connection, even if others can't be closed. Call it after ``stop()``, where waiting is allowed.
    func close() throws {
        var failure: (any Error)?
        for connection in state.withLock({ $0.free }) {
            do { try connection.close() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}
