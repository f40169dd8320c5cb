import AccountDatabase
package import AppleIDTypes

/// Decides whether a person of an app that moved between teams may get a new account.
///
/// A `transfer_sub` says that the person used the app before it moved. Their account may be here under the former team,
/// at a service whose people haven't come yet, or under the team of this server if it still has the former team's
/// settings. In each case a new, empty account in its place would be a silent loss.
extension AccountTransactions {
    /// Returns the error with which ``signIn(_:)`` refuses a person, as far as a transfer between teams is concerned.
    /// - Returns: nil where the person has an identity, brings no `transfer_sub`, is to be moved, or may get an
    ///   account.
    package func transferRefusal(of person: SignInRecord.Person) async throws -> AccountError? {
        guard let subject = person.transferSubject else { return nil }
        return try await read { connection in
            if try connection.isToBeMoved(person) || connection.identity(of: person) != nil { return nil }
            return try connection.transferRefusal(ofNew: person, subject)
        }
    }

    /// A team, other than the one given, of which somebody has an identity here; nil when there is none.
    package func otherTeam(than team: TeamID) async throws -> TeamID? {
        try await read { try $0.otherTeam(than: team) }
    }
}

extension SQLConnection {
    /// For a person who has no identity, and whose account is not moved by this transaction.
    func requireNoTransfer(of person: SignInRecord.Person) throws {
        guard let subject = person.transferSubject else { return }
        guard try !isToBeMoved(person) else { throw AccountError.transferNotCompleted }
        if let refusal = try transferRefusal(ofNew: person, subject) { throw refusal }
    }

    /// Whether the owner of a token may still be moved from another team. If their authorization at Apple ended, nobody
    /// could find their account by Apple's word any more.
    func mayBeMoved(_ owner: TokenOwner) throws -> Bool {
        guard let subject = owner.transferSubject else { return false }
        if let transfer = try transfer(to: owner.team, subject) { return transfer.state != .moved }
        return try otherTeam(than: owner.team) != nil
    }

    fileprivate func transferRefusal(ofNew person: SignInRecord.Person, _ subject: Subject) throws -> AccountError? {
        let team = try SQLValue.text(person.team)
        // The account is here, and moves to another team: the token is of a server that has the settings from before.
        guard try !returnsRow(.findSentPerson, [team, .text(subject)]) else { return .formerTeamsSettings }
        guard !person.isAdmittedAfterTransfer else { return nil }
        if try returnsRow(.findPersonOnTheirWay, [team]) { return .formerTeamsSettings }
        guard try returnsRow(.findTransferTo, [team]) else {
            // The operator has not begun the transfer here, or the settings are from before the transfer.
            return try returnsRow(.findTransferFrom, [team]) ? .formerTeamsSettings : .transferNotCompleted
        }
        if person.hasFormerTeam { return .transferNotCompleted }
        return try otherTeam(than: person.team) == nil ? nil : .transferNotCompleted
    }

    fileprivate func otherTeam(than team: TeamID) throws -> TeamID? {
        try first(.otherTeam, [.text(team)]) { try TeamID($0.text()) }
    }
}

extension AccountError {
    /// A person's account is under another team.
    package static var transferNotCompleted: AccountError {
        AccountError(
            .transferNotCompleted,
            "the app has moved to another team, and this person's account has not been moved yet")
    }

    /// The error for a person who signs in under a team that is giving the app away, or has given it away.
    static var formerTeamsSettings: AccountError {
        AccountError(
            .transferNotCompleted,
            "this server has the former team's settings: people move from its team to another one, and Apple names "
                + "this person by the new one")
    }
}

extension SQLStatement {
    fileprivate static let findSentPerson: Self = """
        SELECT id FROM transfers WHERE source = ?1 AND transfer_subject = ?2 LIMIT 1
        """
    fileprivate static let findPersonOnTheirWay: Self = """
        SELECT id FROM transfers WHERE source = ?1 AND state <> 'moved' LIMIT 1
        """
    fileprivate static let findTransferTo: Self = "SELECT id FROM transfers WHERE target = ?1 LIMIT 1"
    fileprivate static let findTransferFrom: Self = "SELECT id FROM transfers WHERE source = ?1 LIMIT 1"
    /// Two ranges of the index over identities.
    fileprivate static let otherTeam: Self = """
        SELECT team FROM identities WHERE provider = 'apple' AND team < ?1 AND removed_at IS NULL
        UNION ALL
        SELECT team FROM identities WHERE provider = 'apple' AND team > ?1 AND removed_at IS NULL
        LIMIT 1
        """
}
