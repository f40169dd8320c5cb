import AccountDatabase
import GRDB
import TaskSignals

/// One write that waits for its turn: run, perhaps more than once, and answered once.
protocol WriteIntent: Sendable {
    /// Runs the body and keeps the outcome for ``answer()``. It throws when the body's work must be undone.
    func run(on database: Database) throws

    /// Whether the last run has removed data that must not stay in the write-ahead log.
    var erases: Bool { get }

    /// Gives the caller the result of the last run. It is called after that run is on disk, or undone.
    func answer()

    /// Gives the caller the error if nothing was done, or if the outcome is unknown.
    func refuse(_ error: any Error)
}

/// The intent of one ``SQLiteDatabase/write(_:)``.
final class PendingWrite<Value: Sendable>: WriteIntent {
    private let body: @Sendable (any SQLConnection) throws -> Value
    private let caller: CheckedContinuation<Value, any Error>
    private let outcome = Lock<Result<Value, any Error>?>(nil)
    private let hasErased = Lock(false)

    init(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value,
        caller: CheckedContinuation<Value, any Error>
    ) {
        self.body = body
        self.caller = caller
    }

    func run(on database: Database) throws {
        let result = Result {
            try SQLiteConnection.running(body, on: database) { connection in
                hasErased.withLock { $0 = connection.erases }
            }
        }
        outcome.withLock { $0 = result }
        _ = try result.get()
    }

    var erases: Bool { hasErased.withLock { $0 } }

    func answer() {
        guard let result = outcome.withLock({ $0 }) else { preconditionFailure("answered before it ran") }
        caller.resume(with: result)
    }

    func refuse(_ error: any Error) {
        caller.resume(throwing: SQLiteFailure.storeError(for: error))
    }
}

extension SQLiteConnection {
    /// Runs a body, and throws the failure of a statement even if the body hid it.
    /// - Parameter finally: is shown the connection when the body is over.
    static func running<Value>(
        _ body: (any SQLConnection) throws -> Value, on database: Database,
        finally: (SQLiteConnection) -> Void = { _ in }
    ) throws -> Value {
        let connection = SQLiteConnection(database)
        let result = Result { try body(connection) }
        let failure = connection.end()
        finally(connection)
        let value = try result.get()
        if let failure { throw failure }
        return value
    }
}
