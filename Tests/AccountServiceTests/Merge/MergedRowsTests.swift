import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("The rows of a merged account", .eachEngine)
struct MergedRowsTests {
    /// Every column that names an account whose row may be gone or has moved. Events, notices, the note of the merge and the
    /// last entry of the audit keep the former id.
    private static let columns: [(table: SQLStatement, column: SQLStatement)] = [
        ("accounts", "id"), ("identities", "account_id"), ("sessions", "account_id"), ("consents", "account_id"),
        ("contact_changes", "account_id"), ("mails", "account_id"), ("mails_sent", "account_id"),
        ("not_me_links", "account_id"), ("announced", "account_id"), ("email_links", "account_id"),
        ("account_pairs", "first_id"), ("account_pairs", "second_id"), ("apple_notifications", "account_id"),
        ("merged_accounts", "into_id"), ("imported_people", "account_id"),
    ]

    private func count(
        _ table: SQLStatement, where column: SQLStatement, is account: AccountID, _ system: PasswordSystem
    ) async throws -> Int64 {
        try await system.store.read { connection in
            try connection.first("SELECT count(*) FROM \(table) WHERE \(column) = ?1", [.id(account)]) {
                try $0.int64()
            } ?? 0
        }
    }

    @Test("name the account that remains, or are gone")
    func rows() async throws {
        let system = try await PasswordSystem()
        let from = try await system.makeAccount()
        try await system.link(from, hidesEmail: true, consent: system.consentText)
        let identity = try #require(
            try await system.store.identities(of: from.account.id).first { $0.provider == .apple })
        _ = try await system.resetLink()
        system.clock.advance(by: .seconds(5))
        _ = try await system.store.applyNotification(
            .sample(.emailForwarding(false), identity.subject, team: identity.team, happenedAt: system.now))
        let into = try await system.session(of: system.signInWithApple("zoe"))
        let tables: [SQLStatement] = [
            "identities", "sessions", "consents", "email_links", "mails", "apple_notifications",
        ]
        for table in tables {
            let rows = try await count(table, where: "account_id", is: from.account.id, system)
            #expect(rows > 0, "\(table)")
        }

        try await system.merge(into: into, hidesEmail: true, consent: system.consentText)
        for (table, column) in Self.columns {
            let rows = try await count(table, where: column, is: from.account.id, system)
            #expect(rows == 0, "\(table).\(column)")
        }
        let history = try await count("audit", where: "account_id", is: from.account.id, system)
        #expect(history == 1)
        let links = try await count("email_links", where: "account_id", is: into.account.id, system)
        #expect(links == 0)
        let waiting = try await system.mails(.passwordReset)
        #expect(waiting.isEmpty, "its link no longer works")
        let seen = try await count("apple_notifications", where: "account_id", is: into.account.id, system)
        #expect(seen == 1)
    }
}
