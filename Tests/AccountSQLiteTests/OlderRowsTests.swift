import AccountDatabase
import AccountSQLite
import AccountService
import AppleIDTypes
import Testing

@Suite("Rows that an older program wrote")
struct OlderRowsTests {
    @Test("A session without a value in the column was proven by a nonce")
    func session() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        let id = try await store.signIn(.numbered(1)).session.id
        _ = try await store.database.write { try $0.execute("UPDATE sessions SET without_nonce = NULL") }
        #expect(try await store.session(id)?.session.hasNonceProof == true)
    }

    @Test("An attempt without values in the columns has its nonce and belongs to no app")
    func attempt() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        let attempt = Attempt(
            stateHash: TokenHash(of: "state"), browserHash: TokenHash(of: "browser"), purpose: .signIn, sessionID: nil,
            clientID: "com.example.juice.web", nonce: "a nonce", returnPath: .account, createdAt: .start,
            expiresAt: .start + .minutes(10))
        try await store.insertAttempt(attempt)
        _ = try await store.database.write { try $0.execute("UPDATE attempts SET without_nonce = NULL") }
        #expect(try await store.takeAttempt(attempt.stateHash) == attempt)
    }

    @Test("Tokens without a time for their check get different ones within a day")
    func checks() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        for number in 1...20 {
            var record = SignInRecord.numbered(number)
            record.person.subject = Subject("person \(number)")
            record.appleToken = AppleToken(
                id: AppleTokenID(rawValue: "atk_\(number)"), clientID: "com.example.juice", sealed: [1],
                obtainedAt: .start)
            _ = try await store.signIn(record)
        }
        _ = try await store.database.write { try $0.execute("UPDATE apple_tokens SET next_check_at = NULL") }
        func due(at moment: Timestamp) async throws -> Int {
            try await store.claimTokenChecks(
                of: "com.example.juice", at: moment, leasedUntil: moment, limit: 100
            ).count
        }
        #expect(try await due(at: .start) < 3)
        #expect((3...17).contains(try await due(at: .start + .hours(12))))
        #expect(try await due(at: .start + .hours(24)) == 20)
    }
}
