import AccountDatabase
import GRDB
import TaskSignals

/// One write that waits for its turn: run, perhaps more than once, and answered once.
protocol WriteIntent: Sendable {
    /// Runs the body and keeps what came of it for ``answer()``; throws when its work must be undone.
    func run(on database: Database) throws

    /// Whether the last run has removed what must not stay in the write-ahead log.
    var erases: Bool { get }

    /// Tells the caller the result of the last run, only after that is on disk, or undone.
    func answer()

    /// Tells the caller that nothing was done, or that nobody knows.
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
        caller.resume(throwing: SQLiteFailure.told(error))
    }
}

extension SQLiteConnection {
    /// Runs a body, and throws what failed in it even if the body hid that.
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
