import AccountSQL
import AccountSQLite
import AccountService
import AccountTesting
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
                return try await SQLAccountStore(on: HeldDatabase.empty())
        #endif
        }
    }
}

#if PostgreSQL
    /// A database that closes with the last who holds it: tests have no end of their own, and connections are few.
    private final class HeldDatabase: SQLDatabase {
        private static let turns = Turns(24)

        private let database: PostgresDatabase

        private init(_ database: PostgresDatabase) {
            self.database = database
        }

        deinit {
            Task { [database] in
                await database.close()
                await Self.turns.end()
            }
        }

        /// One that nobody has used. A test takes one at most: it may have to wait until another test is done.
        static func empty() async throws -> HeldDatabase {
            await turns.begin()
            do {
                return HeldDatabase(
                    try PostgresDatabase(
                        address: await emptySchema(), connections: 3, logger: Logger(label: "postgres")))
            } catch {
                await turns.end()
                throw error
            }
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

        /// The address of a schema of its own, which is as good as a database of its own and made sooner. The server
        /// that `Tests/with-postgres` has started goes with all that it holds.
        private static func emptySchema() async throws -> String {
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
