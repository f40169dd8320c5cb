import AccountDatabase
import AccountSQLite
import AccountService
import Foundation

/// Runs the work with a folder of its own, which is removed afterwards.
func withTemporaryFolder<Value>(_ work: (String) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("siwa-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let result: Result<Value, any Error>
    do {
        result = .success(try await work(folder))
    } catch {
        result = .failure(error)
    }
    try FileManager.default.removeItem(atPath: folder)
    return try result.get()
}

/// Runs the work with a new store on disk, which is closed afterwards.
func withStoreOnDisk(_ work: (AccountTransactions) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
        let store = try await AccountTransactions.open(.sqlite(folder + "/accounts.sqlite"))
        try await work(store)
        try await store.database.close()
    }
}
