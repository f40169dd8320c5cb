import AccountDatabase
import AccountService
import TaskSignals

/// A database that does not answer some writes.
final class ShakyDatabase: SQLDatabase {
    /// A fault in answering a write.
    enum Fault: CaseIterable, Sendable {
        /// Nothing is written.
        case lost
        /// Everything is written, and the caller gets an error.
        case committed
    }

    private let base: any SQLDatabase
    private let faults = Lock<[Fault]>([])

    init(_ base: any SQLDatabase) {
        self.base = base
    }

    /// So it goes with the next writes.
    func fails(_ next: Fault, times: Int = 1) {
        faults.withLock { $0 = Array(repeating: next, count: times) }
    }

    var dialect: SQLDialect { base.dialect }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        let fault = faults.withLock { $0.popLast() }
        guard fault != .lost else { throw Self.silence }
        let value = try await base.write(body)
        guard fault != .committed else { throw Self.silence }
        return value
    }

    func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.writeAlone(body)
    }

    func close() async throws { try await base.close() }

    private static var silence: SQLDatabaseError { SQLDatabaseError(.unavailable, "the database does not answer") }
}
