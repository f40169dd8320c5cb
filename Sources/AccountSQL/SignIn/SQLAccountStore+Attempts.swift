public import AccountService
import AppleIDTypes

extension SQLAccountStore {
    public func insertAttempt(_ attempt: Attempt) async throws {
        _ = try await database.write { connection in
            try connection.insertAttempt(attempt)
        }
    }

    public func takeAttempt(_ stateHash: TokenHash) async throws -> Attempt? {
        try await database.write { connection in
            try connection.first(.takeAttempt, [.hash(stateHash)]) { columns in
                var attempt = try Attempt(
                    stateHash: columns.hash(), browserHash: columns.hash(), purpose: columns.word(),
                    sessionID: columns.optionalText().map(SessionID.init(rawValue:)),
                    clientID: columns.word(), nonce: columns.text(), returnPath: columns.word(),
                    createdAt: columns.time(), expiresAt: columns.time())
                attempt.authorizationID = try columns.optionalText().map(AuthorizationID.init(rawValue:))
                if try columns.optionalFlag() == true {
                    attempt.nonce = nil
                }
                return attempt
            }
        }
    }
}

extension SQLConnection {
    func insertAttempt(_ attempt: Attempt) throws {
        try execute(
            .insertAttempt,
            [
                .hash(attempt.stateHash), .hash(attempt.browserHash), .text(attempt.purpose),
                .id(orNull: attempt.sessionID), .text(attempt.clientID), .text(attempt.nonce ?? "none"),
                .text(attempt.returnPath), .time(attempt.createdAt), .time(attempt.expiresAt),
                .id(orNull: attempt.authorizationID), .flag(attempt.nonce == nil),
            ])
    }
}

extension SQLStatement {
    private static let attemptColumns: Self = """
        state_hash, browser_hash, purpose, session_id, client_id, nonce, return_path, created_at, expires_at,
        authorization_id, without_nonce
        """
    fileprivate static let insertAttempt: Self = """
        INSERT INTO attempts (\(attemptColumns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
        """
    fileprivate static let takeAttempt: Self = """
        DELETE FROM attempts WHERE state_hash = ?1 RETURNING \(attemptColumns)
        """
}
