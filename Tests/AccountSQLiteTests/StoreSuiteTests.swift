import AccountSQLite
import AccountTesting
import Testing

@Suite("The store suite on SQLite")
struct StoreSuiteTests {
    @Test("in memory", arguments: AccountStoreCheck.all)
    func inMemory(_ check: AccountStoreCheck) async throws {
        try await AccountStoreSuite { try await SQLiteAccountStore.inMemory() }.run(check)
    }

    @Test("on disk", arguments: AccountStoreCheck.all)
    func onDisk(_ check: AccountStoreCheck) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/accounts.sqlite"
            try await AccountStoreSuite { try await SQLiteAccountStore.open(path: path) }.run(check)
        }
    }
}
