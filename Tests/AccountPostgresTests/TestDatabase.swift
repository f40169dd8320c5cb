#if PostgreSQL
    import AccountEngines
    import AccountDatabase
    import AccountService
    import Foundation
    import Logging
    import Testing

    @testable import AccountPostgres

    /// An empty database on the server of the tests.
    struct TestDatabase: Sendable {
        private static let turns = Turns(24)

        let name: String

        /// The server that `Tests/with-postgres` has started.
        static func server() throws -> URL {
            let address = try #require(
                ProcessInfo.processInfo.environment["SIWA_POSTGRES"],
                "these tests need a server; `make unit` starts one, and so does Tests/with-postgres")
            return try #require(URL(string: address))
        }

        /// The address of the database as `user`.
        func address(user: String = "siwa", query: String = "") throws -> String {
            let server = try Self.server()
            return "postgres://\(user)@\(try #require(server.host)):\(try #require(server.port))/\(name)\(query)"
        }

        /// Runs text as the server's superuser. What it says must not come from elsewhere.
        static func run(_ text: String) async throws {
            let address = try server().absoluteString
            try await onThread {
                try PostgresLink(PostgresParameters(address), until: .now + .seconds(60)).run(
                    text: text, until: .now + .seconds(60))
            }
        }

        /// Runs the work with a database of its own, which is removed afterwards.
        @discardableResult
        static func run<Value>(_ work: (TestDatabase) async throws -> Value) async throws -> Value {
            try await inTurn {
                let database = TestDatabase(name: "test_\(UUID().uuidString.lowercased().filter { $0 != "-" })")
                try await run("CREATE DATABASE \(database.name)")
                let result: Result<Value, any Error>
                do {
                    result = .success(try await work(database))
                } catch {
                    result = .failure(error)
                }
                try await run("DROP DATABASE \(database.name) WITH (FORCE)")
                return try result.get()
            }
        }

        private static func inTurn<Value>(_ work: () async throws -> Value) async throws -> Value {
            try await turns.begin()
            let result: Result<Value, any Error>
            do {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            await turns.end()
            return try result.get()
        }

        /// Runs the work with a new store, which is closed afterwards.
        @discardableResult
        static func withStore<Value>(
            connections: Int = 3, _ work: (AccountTransactions, TestDatabase) async throws -> Value
        ) async throws -> Value {
            try await run { database in
                try await withStore(at: database.address(), connections: connections) { try await work($0, database) }
            }
        }

        private static func withStore<Value>(
            at address: String, connections: Int = 3, _ work: (AccountTransactions) async throws -> Value
        ) async throws -> Value {
            let store = try await AccountTransactions.open(
                .postgres(address, connections: connections), logger: Logger(label: "test"))
            let result: Result<Value, any Error>
            do {
                result = .success(try await work(store))
            } catch {
                result = .failure(error)
            }
            try await store.database.close()
            return try result.get()
        }
    }

    /// Runs what blocks on a thread that may wait.
    func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { caller in
            Thread { caller.resume(with: Result { try work() }) }.start()
        }
    }
#endif
