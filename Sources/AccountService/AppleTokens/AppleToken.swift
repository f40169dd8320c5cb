import AccountDatabase
import AppleID
package import AppleIDTypes

/// A refresh token of Apple's, sealed, with the client that obtained it and alone may use or revoke it.
package struct AppleToken: Hashable, Sendable {
    package var id: AppleTokenID
    package var clientID: ClientID
    package var sealed: [UInt8]
    package var obtainedAt: Timestamp

    package init(id: AppleTokenID, clientID: ClientID, sealed: [UInt8], obtainedAt: Timestamp) {
        self.id = id
        self.clientID = clientID
        self.sealed = sealed
        self.obtainedAt = obtainedAt
    }
}

extension AppleToken {
    /// - Parameter randomness: ten bytes.
    init(
        sealing token: RefreshToken, client: ClientID, with seal: Seal, at moment: Timestamp, randomness: [UInt8]
    ) throws {
        let id = AppleTokenID(at: moment, randomness: randomness)
        let sealed = try seal.seal(Array(token.rawValue.utf8), row: id.rawValue, client: client.rawValue)
        self.init(id: id, clientID: client, sealed: sealed, obtainedAt: moment)
    }
}

extension AccountTransactions {
    /// Refresh tokens of Apple's that are held for an identity, by client.
    package func appleTokens(of identity: IdentityID) async throws -> [AppleToken] {
        try await read { try $0.appleTokens(of: identity) }
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
        try executeLater(
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
