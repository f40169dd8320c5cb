import AccountDatabase
import AccountService
import AppleIDTypes
import Foundation

/// People who have signed in before, each with an account and a session. They come into the tables by a statement: by
/// signing in, a million would take long.
struct Crowd: Sendable {
    private let size: Int64

    /// Puts them into a database that has the tables.
    init(_ size: Int64, in database: some SQLDatabase) async throws {
        self.size = size
        let now = Timestamp(Date())
        let values: [SQLValue] = [.int64(size), .int64(now.microseconds)]
        try await database.writeAlone { connection in
            try connection.execute(.accounts, values)
            try connection.execute(.identities, values)
            try connection.execute(
                .sessions,
                values + [
                    .bytes(TokenHash(of: "a secret").bytes), .int64((now + .days(30)).microseconds),
                ])
        }
    }

    func anybodysSession() -> SessionID {
        SessionID(rawValue: "ses_0000000000\(Self.offset + .random(in: 1...size))")
    }

    func anybody() -> Subject {
        Subject("001999.\(Self.offset + .random(in: 1...size))")
    }

    /// Makes every number as long as the others. The statements have it, too.
    private static let offset: Int64 = 1_000_000_000_000_000
}

extension SQLStatement {
    fileprivate static let accounts: Self = """
        INSERT INTO accounts (id, revision, given_name, family_name, created_at)
        WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ?1)
        SELECT 'acc_0000000000' || CAST(1000000000000000 + i AS TEXT), 1, 'Johnny', 'Appleseed', CAST(?2 AS BIGINT)
        FROM numbers
        """
    fileprivate static let identities: Self = """
        INSERT INTO identities (id, account_id, provider, team, subject, email, email_verified, is_private_email,
            created_at, last_sign_in_at)
        WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ?1)
        SELECT 'idn_0000000000' || CAST(1000000000000000 + i AS TEXT),
            'acc_0000000000' || CAST(1000000000000000 + i AS TEXT), 'apple', 'BENCHTEAM1',
            '001999.' || CAST(1000000000000000 + i AS TEXT), 'johnny@example.com', TRUE, FALSE, CAST(?2 AS BIGINT),
            CAST(?2 AS BIGINT)
        FROM numbers
        """
    fileprivate static let sessions: Self = """
        INSERT INTO sessions (id, account_id, identity_id, kind, client_id, secret_hash, generation, created_at,
            authenticated_at, last_used_at, expires_at)
        WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ?1)
        SELECT 'ses_0000000000' || CAST(1000000000000000 + i AS TEXT),
            'acc_0000000000' || CAST(1000000000000000 + i AS TEXT),
            'idn_0000000000' || CAST(1000000000000000 + i AS TEXT), 'tokens', 'com.example.juice', ?3, 0,
            CAST(?2 AS BIGINT), CAST(?2 AS BIGINT), CAST(?2 AS BIGINT), CAST(?4 AS BIGINT)
        FROM numbers
        """
}
