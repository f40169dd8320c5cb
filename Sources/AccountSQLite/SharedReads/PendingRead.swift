import AccountSQL
import GRDB

/// One read that waits for its turn: run or refused, and told either way, once.
protocol PendingReading: Sendable {
    /// Runs the body and tells the caller what came of it.
    func run(on database: Database)

    func refuse(_ error: any Error)
}

/// The one read of a ``SQLiteDatabase/read(_:)``.
struct PendingRead<Value: Sendable>: PendingReading {
    let body: @Sendable (any SQLConnection) throws -> Value
    let caller: CheckedContinuation<Value, any Error>

    func run(on database: Database) {
        let outcome = Result { try database.readOnly { try SQLiteConnection.running(body, on: database) } }
        caller.resume(with: outcome.mapError(SQLiteFailure.told))
    }

    func refuse(_ error: any Error) {
        caller.resume(throwing: SQLiteFailure.told(error))
    }
}
