public import AccountService
public import AppleIDTypes

extension SQLAccountStore {
    public func appleStanding(of account: AccountID, identity: IdentityID) async throws -> AppleStanding? {
        try await database.read { connection in
            try connection.first(.standingOfIdentity, [.id(account), .id(identity)]) { try AppleStanding(&$0) }
        }
    }

    public func appleStanding(of account: AccountID, subject: Subject) async throws -> AppleStanding? {
        try await database.read { connection in
            try connection.first(.standingOfSubject, [.id(account), .text(subject)]) { try AppleStanding(&$0) }
        }
    }
}

extension AppleStanding {
    fileprivate init(_ columns: inout SQLColumns) throws {
        let identity = try columns.word(IdentityID.self)
        let (endedAt, revokedAt) = try (columns.optionalInt64(), columns.optionalInt64())
        try self.init(
            identity: identity, accessEnded: endedAt != nil || revokedAt != nil,
            isRemoved: columns.optionalInt64() != nil)
    }
}

extension SQLStatement {
    fileprivate static let standingOfIdentity: Self = """
        SELECT id, access_ended_at, own_revoke_at, removed_at FROM identities WHERE account_id = ?1 AND id = ?2
        """
    /// What is left of a removed identity has a subject of nobody.
    fileprivate static let standingOfSubject: Self = """
        SELECT id, access_ended_at, own_revoke_at, removed_at FROM identities
        WHERE account_id = ?1 AND provider = 'apple' AND subject = ?2 AND removed_at IS NULL
        """
}
