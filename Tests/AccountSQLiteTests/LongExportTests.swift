import AccountDatabase
import AccountSQLite
import Logging
import Testing

@testable import AccountService

@Suite("The export of an account with much in it")
struct LongExportTests {
    private static let ring = KeyRing.newText(id: "test", randomness: Array(repeating: 7, count: 32))

    @Test("has the newest thousand of each list, and says which of them are cut")
    func cut() async throws {
        let store = try await AccountTransactions.open(.inMemory, logger: Logger(label: "test"))
        let account = try await store.signIn(.numbered(10_000)).account.id
        for number in 1...AccountExport.maximumListLength {
            var record = SignInRecord.numbered(10_000 + number)
            record.at = .start + .seconds(Int64(number))
            _ = try await store.signIn(record)
        }
        let exports = Exports(
            store: store, nameSeal: Seal(.pendingProfile, keyRing: try KeyRing(parsing: Self.ring)),
            logger: Logger(label: "test"))
        let (export, _, activity) = try await exports.export(account)
        #expect(export.sessions.count == AccountExport.maximumListLength)
        #expect(activity.count == AccountExport.maximumListLength)
        #expect(export.sessions.first?.session.createdAt == .start + .seconds(Int64(AccountExport.maximumListLength)))
        #expect(export.events.count == AccountExport.maximumListLength)
        #expect(export.cut == [.sessions, .activity, .events])
        try await store.database.close()
    }
}
