import AccountDatabase
import AppleID
import Logging
import TaskSignals
import Testing

@testable import AccountService

@Suite("The list of swept tables")
struct SweepTests {
    /// These stay until somebody removes what they belong to, or are one row.
    private static let lasting: Set<String> = [
        "migrations", "belongs_to", "accounts", "consents", "identities", "passwords", "apple_tokens", "apple_key_set",
        "stopped_checks", "account_pairs", "forgotten_people", "imported_people", "merged_accounts", "providers",
    ]

    @Test(
        "has every table whose rows expire, and a new table must be listed or excluded", arguments: Engine.allCases
    )
    func all(on engine: Engine) async throws {
        let database = try await engine.database()
        let recording = RecordingDatabase(database)
        let store = try await AccountTransactions(on: recording)
        let tables = try await database.read { connection in
            try connection.query(engine.tables, []) { try $0.text() }
        }
        // A walk removes what it finds over.
        try await database.write { connection in
            try connection.execute(
                "INSERT INTO spent (kind, hash, expires_at) VALUES ('code', ?1, 1)",
                [.bytes([UInt8](repeating: 1, count: 32))])
            try connection.execute(
                """
                INSERT INTO account_events (account_id, revision, kind, at, expires_at) VALUES ('acc_1', 1, 'any', 0, 1)
                """)
        }
        recording.statements.withLock { $0 = [] }
        await Sweeper(
            store: store, auditLifetime: .days(365), environment: .live, instrumentation: .system,
            logger: Logger(label: "test")
        ).sweep()
        let swept = recording.statements.withLock { statements in
            Set(statements.compactMap { $0.firstMatch(of: /^DELETE FROM (\w+)/).map { String($0.1) } })
        }
        #expect(swept.isDisjoint(with: Self.lasting))
        #expect(swept.union(Self.lasting) == Set(tables))
    }
}

extension Engine {
    /// The names of the tables that are there.
    fileprivate var tables: SQLStatement {
        switch self {
        case .sqlite: "SELECT name FROM sqlite_master WHERE type = 'table'"
        #if PostgreSQL
            case .postgres: "SELECT CAST(tablename AS text) FROM pg_tables WHERE schemaname = current_schema()"
        #endif
        }
    }
}

/// Notes what is executed.
private final class RecordingDatabase: SQLDatabase {
    let statements = Lock<[String]>([])
    private let base: any SQLDatabase

    init(_ base: any SQLDatabase) {
        self.base = base
    }

    private struct Connection: SQLConnection {
        let base: any SQLConnection
        let note: (SQLStatement) -> Void

        func execute(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Int {
            note(statement)
            return try base.execute(statement, values)
        }

        func lock(_ number: Int64) throws { try base.lock(number) }

        func eachRow(
            of statement: SQLStatement, _ values: [SQLValue], visit: (inout SQLColumns) throws -> Void
        ) throws {
            note(statement)
            try base.eachRow(of: statement, values, visit: visit)
        }
    }

    private func recorded(_ connection: any SQLConnection) -> any SQLConnection {
        Connection(base: connection) { [self] statement in statements.withLock { $0.append(statement.text) } }
    }

    var dialect: SQLDialect { base.dialect }

    func close() async throws { try await base.close() }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.read { [self] in try body(recorded($0)) }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.write { [self] in try body(recorded($0)) }
    }

    func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.writeAlone { [self] in try body(recorded($0)) }
    }
}
