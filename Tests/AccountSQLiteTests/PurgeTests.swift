import AccountDatabase
import AccountSQLite
import Logging
import Testing

@testable import AccountService

/// PostgreSQL has the same tables and indexes.
@Suite("The cost of deleting one account")
struct PurgeTests {
    private func withStore(_ work: (AccountTransactions) async throws -> Void) async throws {
        let store = try await AccountTransactions(on: SQLiteDatabase.inMemory(logger: Logger(label: "test")))
        try await work(store)
        try await store.database.close()
    }

    @Test("does not grow with other accounts: no statement scans a table")
    func plans() async throws {
        try await withStore { store in
            for statement in SQLStatement.purge {
                let plan = try await store.database.read { connection in
                    try connection.query("EXPLAIN QUERY PLAN \(statement)", [.text("acc_1")]) { columns in
                        _ = try (columns.int64(), columns.int64(), columns.int64())
                        return try columns.text()
                    }
                }
                #expect(!plan.isEmpty && !plan.contains { $0.hasPrefix("SCAN") }, "\(statement): \(plan)")
            }
        }
    }

    @Test("does not grow with rows that refer to the account: each such column begins an index")
    func references() async throws {
        try await withStore { store in
            let (references, indexes) = try await store.database.read { connection in
                try (
                    connection.query(
                        """
                        SELECT t.name || '.' || k."from" FROM sqlite_master t, pragma_foreign_key_list(t.name) k
                        WHERE t.type = 'table'
                        """, []
                    ) { try $0.text() },
                    connection.query(
                        """
                        SELECT t.name || '.' || c.name
                        FROM sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
                        WHERE t.type = 'table' AND c.seqno = 0 AND i.partial = 0
                        """, []
                    ) { try $0.text() }
                )
            }
            #expect(references.contains("sessions.identity_id"))
            #expect(Set(references).isSubset(of: indexes))
        }
    }
}
