public import AccountService
public import AppleIDTypes

extension SQLAccountStore {
    public func admits(_ person: SignInRecord.Person) async throws -> Bool {
        guard person.transferSubject != nil else { return true }
        return try await database.read { connection in
            if try connection.returnsRow(.findPerson, [.text(person.team), .text(person.subject)]) { return true }
            return try connection.otherTeam(than: person.team) == nil
        }
    }

    public func otherTeam(than team: TeamID) async throws -> TeamID? {
        try await database.read { try $0.otherTeam(than: team) }
    }
}

extension SQLConnection {
    /// For a person who has no identity.
    func requireNoTransfer(of person: SignInRecord.Person) throws {
        guard person.transferSubject != nil, try otherTeam(than: person.team) != nil else { return }
        throw AccountError.transferNotCompleted
    }

    fileprivate func otherTeam(than team: TeamID) throws -> TeamID? {
        try first(.otherTeam, [.text(team)]) { try TeamID($0.text()) }
    }
}

extension SQLStatement {
    fileprivate static let findPerson: Self = """
        SELECT id FROM identities WHERE provider = 'apple' AND team = ?1 AND subject = ?2
        """
    /// Two ranges of the index over identities.
    fileprivate static let otherTeam: Self = """
        SELECT team FROM identities WHERE provider = 'apple' AND team < ?1 AND removed_at IS NULL
        UNION ALL
        SELECT team FROM identities WHERE provider = 'apple' AND team > ?1 AND removed_at IS NULL
        LIMIT 1
        """
}
