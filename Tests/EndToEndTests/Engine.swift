import AccountSQL
import AccountSQLite
import AccountService
import Foundation
import Logging
import Testing

#if PostgreSQL
    @testable import AccountPostgres
#endif

/// What keeps the accounts: a test that touches the store takes each in turn.
enum Engine: String, CaseIterable, Sendable {
    case sqlite
    #if PostgreSQL
        case postgres
    #endif

    /// An empty store, which closes with the last who holds it.
    func store() async throws -> any AccountStore {
        switch self {
        case .sqlite:
            return try await SQLiteAccountStore.inMemory()
        #if PostgreSQL
            case .postgres:
                let database = try PostgresDatabase(
                    address: await HeldDatabase.emptySchema(), connections: 3, logger: Logger(label: "postgres"))
                return try await SQLAccountStore(on: HeldDatabase(database))
        #endif
        }
    }
}

#if PostgreSQL
    /// A database that closes with the last who holds it: tests have no end of their own, and connections are few.
    private final class HeldDatabase: SQLDatabase {
        private let database: PostgresDatabase

        init(_ database: PostgresDatabase) {
            self.database = database
        }

        deinit {
            Task { [database] in await database.close() }
        }

        var dialect: SQLDialect { database.dialect }

        func read<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            try await database.read(body)
        }

        func write<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            try await database.write(body)
        }

        func writeAlone<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            try await database.writeAlone(body)
        }

        /// The address of a schema of its own, which is as good as a database of its own and made sooner. The server that
        /// `Tests/with-postgres` has started goes with all that it holds.
        static func emptySchema() async throws -> String {
            let server = try #require(
                ProcessInfo.processInfo.environment["SIWA_POSTGRES"],
                "these tests need a server; `make unit` starts one, and so does Tests/with-postgres")
            let name = "house_\(UInt64.random(in: 1 ... .max))"
            try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Void, any Error>) in
                // libpq blocks.
                Thread {
                    caller.resume(
                        with: Result {
                            try PostgresLink(PostgresParameters(server), until: .now + .seconds(60)).run(
                                text: "CREATE SCHEMA \(name)", until: .now + .seconds(60))
                        })
                }.start()
            }
            return "\(server)?options=-csearch_path%3D\(name)"
        }
    }
#endif
