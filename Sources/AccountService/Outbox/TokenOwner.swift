public import AppleIDTypes

/// Whose a refresh token of Apple's is, where no session or identity says so.
public struct TokenOwner: Hashable, Sendable {
    public var team: TeamID
    public var subject: Subject
    /// When Apple issued the identity token that came with the authorization: from then on it is proof of it.
    public var authorizedAt: Timestamp

    public init(team: TeamID, subject: Subject, authorizedAt: Timestamp) {
        self.team = team
        self.subject = subject
        self.authorizedAt = authorizedAt
    }

    public var personHash: TokenHash { OutboxEntry.personHash(team: team, subject: subject) }
}
