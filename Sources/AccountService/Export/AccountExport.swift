public import AppleIDTypes

/// All that is held about an account's person, without anything secret.
public struct AccountExport: Sendable {
    /// Of each of its ``List``s the newest are exported, and no more than these.
    public static let longestList = 1_000

    /// What may be longer than ``longestList``.
    public enum List: String, Hashable, Sendable, CaseIterable {
        case sessions, activity, events, notifications
    }

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

    /// A notification of Apple's about the person. Whom it is about stands in their identity.
    public struct HeldNotification: Hashable, Sendable {
        public var type: EventType
        public var audience: ClientID
        public var outcome: NotificationOutcome
        public var happenedAt: Timestamp
        public var receivedAt: Timestamp

        public init(
            type: EventType, audience: ClientID, outcome: NotificationOutcome, happenedAt: Timestamp,
            receivedAt: Timestamp
        ) {
            self.type = type
            self.audience = audience
            self.outcome = outcome
            self.happenedAt = happenedAt
            self.receivedAt = receivedAt
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
    /// What the account's clients are told, the newest first.
    public var events: [AccountEvent]
    /// What Apple said of the person, the newest first.
    public var notifications: [HeldNotification]
    /// Those that were longer than ``longestList``.
    public var cut: Set<List> = []

    public init(
        id: AccountID, name: PersonName?, createdAt: Timestamp, identities: [HeldIdentity], sessions: [HeldSession],
        keptNames: [KeptName], outbox: [OutboxEntry], events: [AccountEvent] = [],
        notifications: [HeldNotification] = []
    ) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.identities = identities
        self.sessions = sessions
        self.keptNames = keptNames
        self.outbox = outbox
        self.events = events
        self.notifications = notifications
    }
}

extension AccountExport {
    /// What of a list is exported; notes when that is not all.
    /// - Parameter rows: the newest first, one more than ``longestList`` where there are so many.
    package mutating func newest<Row>(_ list: List, of rows: [Row]) -> [Row] {
        if rows.count > Self.longestList { cut.insert(list) }
        return Array(rows.prefix(Self.longestList))
    }
}
