import AccountDatabase
import AccountSQLite
import Testing

@testable import AccountService

@Suite("The list of sealed columns")
struct SealedColumnTests {
    /// An attempt at a provider lasts ten minutes. If its key leaves the ring meanwhile, the person begins anew.
    private static let notSealedAnew: Set = ["attempts.sealed_provider"]

    @Test("is every sealed column of the schema; a new one becomes a `SealedColumn`, and is named here")
    func all() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        let columns = try await store.database.read { connection in
            try connection.query(
                """
                SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'
                """, []
            ) { try "\($0.text()).\($0.text())" }
        }
        #expect(
            Set(columns.filter { $0.contains("sealed") }).subtracting(Self.notSealedAnew) == [
                "server_keys.sealed", "apple_tokens.sealed", "kept_names.sealed", "authorizations.sealed_state",
                "authorizations.sealed_result", "authorizations.apple_token_sealed", "outbox.sealed", "mails.sealed",
                "passwords.sealed", "email_links.sealed",
            ])
        try await store.database.close()
    }
}
