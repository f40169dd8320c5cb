import AccountDatabase
import AccountSQLite
import AppleIDTypes
import Logging
import Testing

@testable import AccountService

@Suite("A store of an older version")
struct UpgradeTests {
    @Test("gets new columns and keeps its rows: a session and an attempt from before authorizations")
    func authorizations() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/accounts.sqlite"
            try await makeOld(path: path)

            let store = try await AccountTransactions.open(.sqlite(path))
            #expect(try await store.bind(toIssuer: "another") == "apple")
            let session = try #require(await store.session(SessionID(rawValue: "ses_1")))
            #expect(session.session.hasNonceProof && session.account.name?.givenName == "Johnny")
            #expect(session.session.clientID == "com.example.juice" && session.ended == nil)

            let attempt = Attempt(
                stateHash: TokenHash(of: "state"), browserHash: TokenHash(of: "browser"), purpose: .signIn,
                sessionID: SessionID(rawValue: "ses_1"), clientID: "com.example.juice.web", nonce: "a nonce",
                returnPath: .account, createdAt: .start, expiresAt: .start + .minutes(10))
            #expect(try await store.takeAttempt(attempt.stateHash) == attempt)

            // The person is the same to a sign-in of today.
            var record = SignInRecord.numbered(2)
            record.session.hasNonceProof = false
            let outcome = try await store.signIn(record)
            #expect(!outcome.isNewAccount && outcome.account.id == session.account.id)
            #expect(try await store.session(outcome.session.id)?.session.hasNonceProof == false)
            try await store.database.close()
        }
    }

    /// The steps and the columns of the program before authorizations.
    private func makeOld(path: String) async throws {
        let database = try await SQLiteDatabase.open(path: path, logger: Logger(label: "test"))
        try await database.migrate(
            [.belongsTo, .accounts, .sessions, .signIn, .keys], at: Timestamp.start.microseconds)
        let (start, later) = (Timestamp.start, Timestamp.start + .minutes(10))
        try await database.write { connection in
            try connection.execute("INSERT INTO belongs_to (singleton, apple) VALUES (1, 'apple')")
            try connection.execute(
                """
                INSERT INTO accounts (id, revision, given_name, created_at) VALUES ('acc_1', 1, 'Johnny', ?1)
                """, [.time(start)])
            try connection.execute(
                """
                INSERT INTO identities (id, account_id, provider, team, subject, email, email_verified,
                    is_private_email, real_user_status, created_at, last_sign_in_at)
                VALUES ('idn_1', 'acc_1', 'apple', 'TEAM000001', '001999.person', 'johnny@example.com', ?2, ?3, 2,
                    ?1, ?1)
                """, [.time(start), .flag(true), .flag(false)])
            try connection.execute(
                """
                INSERT INTO sessions (id, account_id, identity_id, kind, client_id, secret_hash, generation, created_at,
                    authenticated_at, last_used_at, expires_at)
                VALUES ('ses_1', 'acc_1', 'idn_1', 'tokens', 'com.example.juice', ?2, 0, ?1, ?1, ?1, ?3)
                """, [.time(start), .hash(TokenHash(of: "secret 1")), .time(later)])
            try connection.execute(
                """
                INSERT INTO attempts (state_hash, browser_hash, purpose, session_id, client_id, nonce, return_path,
                    created_at, expires_at)
                VALUES (?1, ?2, 'sign_in', 'ses_1', 'com.example.juice.web', 'a nonce', '/account', ?3, ?4)
                """,
                [.hash(TokenHash(of: "state")), .hash(TokenHash(of: "browser")), .time(start), .time(later)])
        }
        try await database.close()
    }
}
