public import AppleIDTypes

/// One way in which a person signs in to their account: Apple's subject, as one team sees it.
public struct Identity: Hashable, Sendable {
    public var id: IdentityID
    public var accountID: AccountID
    public var team: TeamID
    public var subject: Subject
    public var email: String?
    public var emailVerified: Bool
    public var isPrivateEmail: Bool
    public var access: AppleAccess
    public var createdAt: Timestamp
    public var lastSignInAt: Timestamp

    public init(
        id: IdentityID, accountID: AccountID, team: TeamID, subject: Subject, email: String?, emailVerified: Bool,
        isPrivateEmail: Bool, access: AppleAccess, createdAt: Timestamp, lastSignInAt: Timestamp
    ) {
        self.id = id
        self.accountID = accountID
        self.team = team
        self.subject = subject
        self.email = email
        self.emailVerified = emailVerified
        self.isPrivateEmail = isPrivateEmail
        self.access = access
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
    }
}
