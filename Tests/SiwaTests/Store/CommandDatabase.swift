import AccountDatabase
import AccountService
import Foundation
import Logging

@testable import siwa

/// A database of its own for a test of commands: on either engine, and empty.
struct CommandDatabase {
    static var engines: [String] {
        #if PostgreSQL
            ["SQLite", "PostgreSQL"]
        #else
            ["SQLite"]
        #endif
    }

    /// As `--database` has it.
    let address: String

    var location: DatabaseLocation {
        #if PostgreSQL
            if address.hasPrefix("postgres") { return .postgres(address: address, password: nil, connections: 2) }
        #endif
        return .file(address)
    }

    static func with(_ engine: String, _ work: (_ database: CommandDatabase) async throws -> Void) async throws {
        #if PostgreSQL
            if engine == "PostgreSQL" {
                try await work(Self(address: PostgresServeTests.schema()))
                return
            }
        #endif
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await work(Self(address: folder.path + "/siwa.sqlite"))
    }

    /// Works in it as a server does, beside commands.
    @discardableResult
    func withStore<Value>(_ work: (AccountTransactions) async throws -> Value) async throws -> Value {
        let open = try await location.open(logger: Logger(label: "test"))
        let value: Value
        do {
            value = try await work(open)
        } catch {
            try await open.close()
            throw error
        }
        try await open.close()
        return value
    }

    /// Returns how far its schema is. A look changes nothing.
    func schemaState() async throws -> SchemaState {
        try await withEngine { try await $0.schemaState(of: AccountSchema.migrations) }
    }

    /// Makes the tables of an older siwa: those without the last step of the schema.
    func makeOlderTables() async throws {
        try await withEngine { try await $0.migrate(Array(AccountSchema.migrations.dropLast()), at: 0) }
    }

    private func withEngine<Value>(_ work: (any SQLDatabase) async throws -> Value) async throws -> Value {
        let database = try await location.storage.open(Logger(label: "test"))
        let value: Value
        do {
            value = try await work(database)
        } catch {
            try await database.close()
            throw error
        }
        try await database.close()
        return value
    }
}
