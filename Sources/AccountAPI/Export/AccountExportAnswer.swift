/// The answer to `GET /v1/account/export`: all that the service holds about a person, and nothing secret.
public struct AccountExportAnswer: Hashable, Sendable {
    public var exportedAt: APITime
    public var accountID: String
    public var name: AccountName?
    public var createdAt: APITime
    public var identities: [ExportedIdentity]
    /// The newest first, a thousand at most.
    public var sessions: [ExportedSession]
    /// What Apple told at a sign-in that did not succeed, kept until one does.
    public var kept: [ExportedKeptName]
    /// What the audit has, the newest first, a thousand entries at most.
    public var activity: [ExportedActivity]
    /// What is still to be done for the person elsewhere.
    public var pending: [ExportedTask]
    /// What the person's clients are told of the account, the newest first, a thousand at most.
    public var events: [AccountEventBody]
    /// What Apple said of the person, the newest first, a thousand at most.
    public var notifications: [ExportedNotification]
    /// Which of the lists held more than a thousand: `sessions`, `activity`, `events`, `notifications`.
    public var cut: [String]

    public init(
        exportedAt: APITime, accountID: String, name: AccountName?, createdAt: APITime, identities: [ExportedIdentity],
        sessions: [ExportedSession], activity: [ExportedActivity], kept: [ExportedKeptName], pending: [ExportedTask],
        events: [AccountEventBody], notifications: [ExportedNotification], cut: [String]
    ) {
        self.exportedAt = exportedAt
        self.accountID = accountID
        self.name = name
        self.createdAt = createdAt
        self.identities = identities
        self.sessions = sessions
        self.activity = activity
        self.kept = kept
        self.pending = pending
        self.events = events
        self.notifications = notifications
        self.cut = cut
    }
}

extension AccountExportAnswer: Codable {
    private enum CodingKeys: String, CodingKey {
        case exportedAt, accountID, name, createdAt, identities, sessions, activity, kept, pending
        case events, notifications, cut
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(exportedAt, forKey: .exportedAt)
        try container.encode(accountID, forKey: .accountID)
        try container.encode(name, forKey: .name)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(identities, forKey: .identities)
        try container.encode(sessions, forKey: .sessions)
        try container.encode(activity, forKey: .activity)
        try container.encode(kept, forKey: .kept)
        try container.encode(pending, forKey: .pending)
        try container.encode(events, forKey: .events)
        try container.encode(notifications, forKey: .notifications)
        try container.encode(cut, forKey: .cut)
    }
}
