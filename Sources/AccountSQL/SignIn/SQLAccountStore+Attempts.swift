public import AccountService
import AppleIDTypes

extension SQLAccountStore {
    public func insertAttempt(_ attempt: Attempt) async throws {
        _ = try await database.write { connection in
            try connection.execute(
                .insertAttempt,
                [
                    .hash(attempt.stateHash), .hash(attempt.browserHash), .text(attempt.purpose),
                    .id(orNull: attempt.sessionID),
                    .text(attempt.clientID), .text(attempt.nonce), .text(attempt.returnPath),
                    .time(attempt.createdAt), .time(attempt.expiresAt),
                ])
        }
    }

    public func takeAttempt(_ stateHash: TokenHash) async throws -> Attempt? {
        try await database.write { connection in
            try connection.first(.takeAttempt, [.hash(stateHash)]) { columns in
                try Attempt(
                    stateHash: columns.hash(), browserHash: columns.hash(), purpose: columns.word(),
                    sessionID: columns.optionalText().map(SessionID.init(rawValue:)),
                    clientID: columns.word(), nonce: columns.text(), returnPath: columns.word(),
                    createdAt: columns.time(), expiresAt: columns.time())
            }
        }
    }
}

extension SQLStatement {
    private static let attemptColumns: Self = """
        state_hash, browser_hash, purpose, session_id, client_id, nonce, return_path, created_at, expires_at
        """
    fileprivate static let insertAttempt: Self = """
        INSERT INTO attempts (\(attemptColumns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """
    fileprivate static let takeAttempt: Self = """
        DELETE FROM attempts WHERE state_hash = ?1 RETURNING \(attemptColumns)
        """
}
