/// All that is held about an account's person, without anything secret.
public struct AccountExport: Sendable {
    /// Sessions beyond these, the oldest, are left out.
    public static let maximumSessions = 1_000
    /// The same for what happened.
    public static let maximumActivity = 1_000

    public struct HeldIdentity: Sendable {
        public var identity: Identity
        /// Apple's refresh tokens; what they are is not told to anybody.
        public var appleTokens: [AppleToken]

        public init(identity: Identity, appleTokens: [AppleToken]) {
            self.identity = identity
            self.appleTokens = appleTokens
        }
    }

    public struct HeldSession: Sendable {
        public var session: Session
        public var ended: StoredSession.End?

        public init(session: Session, ended: StoredSession.End?) {
            self.session = session
            self.ended = ended
        }
    }

    public var id: AccountID
    public var name: PersonName?
    public var createdAt: Timestamp
    public var identities: [HeldIdentity]
    /// The newest first.
    public var sessions: [HeldSession]
    /// Names and addresses that wait for a sign-in to succeed, sealed.
    public var keptNames: [KeptName]
    /// What is still to be done for the person elsewhere.
    public var outbox: [OutboxEntry]

    public init(
        id: AccountID, name: PersonName?, createdAt: Timestamp, identities: [HeldIdentity], sessions: [HeldSession],
        keptNames: [KeptName], outbox: [OutboxEntry]
    ) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.identities = identities
        self.sessions = sessions
        self.keptNames = keptNames
        self.outbox = outbox
    }
}
