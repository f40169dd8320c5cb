import AccountDatabase
import AccountSQLite
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("The audit's personal columns")
struct AuditTests {
    @Test("are cleared for one account, and its other columns stay")
    func purge() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        let caller = Caller(address: "192.0.2.1", device: DeviceName(cleaning: "Zoë's iPad"))
        func signIn(_ number: Int, _ subject: String) async throws -> AccountID {
            var record = SignInRecord.numbered(number, subject: .init(subject))
            record.caller = caller
            return try await store.signIn(record).account.id
        }
        let (gone, kept) = try await (signIn(1, "gone"), signIn(2, "kept"))
        let before = try await store.auditEntries(of: gone, before: nil, limit: 10)
        try await store.database.write { try $0.forgetCallers(of: gone) }
        var after = before
        for index in after.indices { after[index].actor.caller = .unknown }
        #expect(before != after)
        #expect(try await store.auditEntries(of: gone, before: nil, limit: 10) == after)
        #expect(try await store.auditEntries(of: kept, before: nil, limit: 10).map(\.actor.caller) == [caller])
    }
}
