public import AccountService
import AppleIDTypes

extension SQLAccountStore {
    public func appleTokens(of identity: IdentityID) async throws -> [AppleToken] {
        try await database.read { try $0.appleTokens(of: identity) }
    }
}

extension SQLConnection {
    func appleTokens(of identity: IdentityID) throws -> [AppleToken] {
        try query(.appleTokens, [.id(identity)]) { columns in
            try AppleToken(
                id: columns.word(), clientID: columns.word(), sealed: columns.bytes(), obtainedAt: columns.time())
        }
    }

    /// Keeps a token, in place of an older one of the same identity and client.
    func keepAppleToken(_ token: AppleToken, of identity: IdentityID) throws {
        try execute(
            .keepAppleToken,
            [
                .id(token.id), .id(identity), .text(token.clientID), .bytes(token.sealed), .time(token.obtainedAt),
                .time(token.obtainedAt + CheckRules.interval),
            ])
    }
}

extension SQLStatement {
    fileprivate static let appleTokens: Self = """
        SELECT id, client_id, sealed, obtained_at FROM apple_tokens WHERE identity_id = ?1 ORDER BY client_id
        """
    fileprivate static let keepAppleToken: Self = """
        INSERT INTO apple_tokens (id, identity_id, client_id, sealed, obtained_at, next_check_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (identity_id, client_id) DO UPDATE
        SET id = excluded.id, sealed = excluded.sealed, obtained_at = excluded.obtained_at,
            next_check_at = excluded.next_check_at, check_leased_until = NULL, last_checked_at = NULL,
            found_dead_at = NULL
        WHERE apple_tokens.obtained_at <= excluded.obtained_at
        """
}
