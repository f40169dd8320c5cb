public import AccountService
import AppleIDTypes

extension SQLAccountStore {
    public func identities(of account: AccountID) async throws -> [Identity] {
        try await database.read { try $0.identities(of: account) }
    }
}

extension SQLConnection {
    func identities(of account: AccountID) throws -> [Identity] {
        try query(.identitiesOfAccount, [.id(account)]) { columns in
            let id = try columns.word(IdentityID.self)
            let (team, subject) = try (columns.word(TeamID.self), columns.word(Subject.self))
            let (createdAt, lastSignInAt) = try (columns.time(), columns.time())
            let facts = try IdentityFacts(&columns)
            return Identity(
                id: id, accountID: account, team: team, subject: subject, email: facts.email,
                emailVerified: facts.isVerified, isPrivateEmail: facts.isPrivate, access: facts.access,
                createdAt: createdAt, lastSignInAt: lastSignInAt)
        }
    }
}

extension SQLStatement {
    fileprivate static let identitiesOfAccount: Self = """
        SELECT id, team, subject, created_at, last_sign_in_at, \(identityFacts)
        FROM identities WHERE account_id = ?1 AND provider = 'apple' AND removed_at IS NULL ORDER BY id
        """
}
