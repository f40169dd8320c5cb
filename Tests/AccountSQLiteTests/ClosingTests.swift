import AccountDatabase
import AccountSQLite
import AccountService
import Logging
import ServiceLifecycle
import Testing

@Suite("Closing a SQLite store")
struct ClosingTests {
    @Test("A closed store refuses every call as unavailable, and closing it again is harmless")
    func closed() async throws {
        let stores = try await [AccountTransactions.open(.inMemory)]
        for store in stores {
            try await store.database.close()
            try await store.database.close()
            await #expect(throws: AccountError(.unavailable, "")) { try await store.check() }
            await #expect(throws: AccountError(.unavailable, "")) { try await store.keepPendingProfile(.numbered(1)) }
            await #expect(throws: AccountError(.unavailable, "")) {
                _ = try await AccountTransactions(on: store.database)
            }
        }
    }

    @Test("Closing finishes earlier work, refuses later work, and doesn't hang")
    func closingUnderLoad() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/accounts.sqlite"
            let store = try await AccountTransactions.open(.sqlite(path))
            let acknowledged = try await withThrowingTaskGroup(of: Int?.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        do {
                            try await store.keepPendingProfile(.numbered(number))
                            _ = try await store.session(SessionID(rawValue: "ses_unknown"))
                            return number
                        } catch let error as AccountError where error.code == .unavailable {
                            return nil
                        }
                    }
                    if number == 100 {
                        group.addTask {
                            try await store.database.close()
                            return nil
                        }
                    }
                }
                return try await group.reduce(into: [Int]()) { numbers, number in
                    if let number { numbers.append(number) }
                }
            }
            let reopened = try await AccountTransactions.open(.sqlite(path))
            let kept = try await reopened.database.read { connection in
                try connection.query("SELECT subject FROM kept_names", []) { try $0.text() }
            }
            #expect(Set(acknowledged.map { "person.\($0)" }).isSubset(of: kept))
            try await reopened.database.close()
        }
    }

    @Test("In a service group the database closes after the services that use it")
    func serviceGroup() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/accounts.sqlite"
            let store = try await AccountTransactions.open(.sqlite(path))
            let group = ServiceGroup(
                configuration: .init(
                    services: [.init(service: store), .init(service: LastWriter(store: store))],
                    logger: Logger(label: "test")))
            async let run: Void = group.run()
            await group.triggerGracefulShutdown()
            try await run
            await #expect(throws: AccountError(.unavailable, "")) { try await store.check() }

            let reopened = try await AccountTransactions.open(.sqlite(path))
            #expect(try await reopened.session(SessionID(rawValue: "ses_1")) != nil)
            try await reopened.database.close()
        }
    }
}

/// Signs in only once it is told to stop.
private struct LastWriter: Service {
    let store: AccountTransactions

    func run() async throws {
        try await gracefulShutdown()
        _ = try await store.signIn(.numbered(1))
    }
}
