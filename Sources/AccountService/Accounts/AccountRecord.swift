public import AppleIDTypes

/// An account as its operator sees it, with who may sign in to it.
public struct AccountRecord: Hashable, Sendable, Redacted {
    /// One identity at a provider.
    public struct Identity: Hashable, Sendable, Redacted {
        public var id: IdentityID
        public var provider: String
        public var team: TeamID
        public var subject: Subject
        public var email: String?
        public var emailVerified: Bool
        public var isPrivateEmail: Bool
        public var access: AppleAccess
        public var appleToken: AppleTokenStatus
        public var createdAt: Timestamp
        public var lastSignInAt: Timestamp

        public init(
            id: IdentityID, provider: String, team: TeamID, subject: Subject, email: String?, emailVerified: Bool,
            isPrivateEmail: Bool, access: AppleAccess, appleToken: AppleTokenStatus, createdAt: Timestamp,
            lastSignInAt: Timestamp
        ) {
            self.id = id
            self.provider = provider
            self.team = team
            self.subject = subject
            self.email = email
            self.emailVerified = emailVerified
            self.isPrivateEmail = isPrivateEmail
            self.access = access
            self.appleToken = appleToken
            self.createdAt = createdAt
            self.lastSignInAt = lastSignInAt
        }
    }

    public var id: AccountID
    public var name: PersonName?
    public var createdAt: Timestamp
    /// Nil for an account that people can sign in to.
    public var disabledAt: Timestamp?
    /// Oldest first.
    public var identities: [Identity]

    public init(
        id: AccountID, name: PersonName?, createdAt: Timestamp, disabledAt: Timestamp?, identities: [Identity]
    ) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.disabledAt = disabledAt
        self.identities = identities
    }
}
