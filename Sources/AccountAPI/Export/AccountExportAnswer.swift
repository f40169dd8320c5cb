/// The response to `GET /v1/account/export`: everything that the service holds about a person, without secrets.
public struct AccountExportAnswer: Hashable, Sendable {
    /// The time of the export.
    public var exportedAt: APITime
    /// The account's id.
    public var accountID: String
    /// The person's name: the one that they typed here, otherwise the one that Apple gave.
    public var name: AccountName?
    /// The time at which the person typed the name. Null for a name from Apple.
    public var nameTypedAt: APITime?
    /// The address to which the service writes, once the person has confirmed it.
    public var contactEmail: String?
    /// The time at which the person confirmed the contact address.
    public var contactEmailVerifiedAt: APITime?
    /// The contact address that waits for the person to open the link in a mail.
    public var pendingContactEmail: String?
    /// The phone number, as the person typed it.
    public var phone: String?
    /// The changes of the contact address that can still be taken back, newest first, with the former addresses.
    public var formerContacts: [ExportedFormerContact]
    /// The ids that the person had at services from which they were imported. Nil from a service that doesn't import.
    public var formerIDs: [ExportedFormerID]?
    /// The accounts that were merged into this one, the latest first.
    public var mergedAccounts: [ExportedMergedAccount]
    /// The time of the person's first sign-in.
    public var createdAt: APITime
    /// The identities by which the person signs in.
    public var identities: [ExportedIdentity]
    /// The sessions, newest first, at most a thousand.
    public var sessions: [ExportedSession]
    /// The names and addresses that Apple gave at sign-ins that didn't succeed. The service keeps them until one
    /// succeeds.
    public var kept: [ExportedPendingProfile]
    /// The entries of the audit log, newest first, at most a thousand.
    public var activity: [ExportedActivity]
    /// The consents that the person gave, newest first: each that holds, and the newest thousand of the withdrawn ones.
    public var consents: [ExportedConsent]
    /// The tasks for the person that other services haven't done yet.
    public var pending: [ExportedTask]
    /// The mails to the person that were delivered within the last day, newest first, at most a thousand.
    public var sentMails: [ExportedSentMail]
    /// The links in mails to the person that still work, without their secrets.
    public var openLinks: [ExportedLink]
    /// The names of the team's announcements that the person was sent within the last year.
    public var announcements: [String]
    /// The events that the person's clients were sent, newest first, at most a thousand.
    public var events: [AccountEventBody]
    /// Apple's notifications about the person, newest first, at most a thousand.
    public var notifications: [ExportedNotification]
    /// The lists that held more than a thousand entries: `sessions`, `activity`, `events`, `notifications`, `consents`,
    /// `sentMails`, and `mails` for the mails in `pending`.
    public var cut: [String]

    /// Creates a value for the service to send. Clients decode it.
    public init(
        exportedAt: APITime, accountID: String, name: AccountName?, nameTypedAt: APITime? = nil,
        contactEmail: String? = nil, contactEmailVerifiedAt: APITime? = nil, pendingContactEmail: String? = nil,
        phone: String? = nil, formerContacts: [ExportedFormerContact] = [],
        formerIDs: [ExportedFormerID]? = nil, mergedAccounts: [ExportedMergedAccount] = [], createdAt: APITime,
        identities: [ExportedIdentity], sessions: [ExportedSession],
        activity: [ExportedActivity], kept: [ExportedPendingProfile], consents: [ExportedConsent] = [],
        pending: [ExportedTask], sentMails: [ExportedSentMail] = [], openLinks: [ExportedLink] = [],
        announcements: [String] = [], events: [AccountEventBody], notifications: [ExportedNotification], cut: [String]
    ) {
        self.exportedAt = exportedAt
        self.accountID = accountID
        self.name = name
        self.nameTypedAt = nameTypedAt
        self.contactEmail = contactEmail
        self.contactEmailVerifiedAt = contactEmailVerifiedAt
        self.pendingContactEmail = pendingContactEmail
        self.phone = phone
        self.formerContacts = formerContacts
        self.formerIDs = formerIDs
        self.mergedAccounts = mergedAccounts
        self.createdAt = createdAt
        self.identities = identities
        self.sessions = sessions
        self.activity = activity
        self.kept = kept
        self.consents = consents
        self.pending = pending
        self.sentMails = sentMails
        self.openLinks = openLinks
        self.announcements = announcements
        self.events = events
        self.notifications = notifications
        self.cut = cut
    }
}

extension AccountExportAnswer: Codable {
    private enum CodingKeys: String, CodingKey {
        case exportedAt, accountID, name, nameTypedAt, contactEmail, contactEmailVerifiedAt, pendingContactEmail, phone
        case formerContacts, formerIDs, mergedAccounts, createdAt, identities, sessions, activity, kept, consents
        case pending, sentMails, openLinks, announcements, events, notifications, cut
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(exportedAt, forKey: .exportedAt)
        try container.encode(accountID, forKey: .accountID)
        try container.encode(name, forKey: .name)
        try container.encode(nameTypedAt, forKey: .nameTypedAt)
        try container.encode(contactEmail, forKey: .contactEmail)
        try container.encode(contactEmailVerifiedAt, forKey: .contactEmailVerifiedAt)
        try container.encode(pendingContactEmail, forKey: .pendingContactEmail)
        try container.encode(phone, forKey: .phone)
        try container.encode(formerContacts, forKey: .formerContacts)
        try container.encode(formerIDs, forKey: .formerIDs)
        try container.encode(mergedAccounts, forKey: .mergedAccounts)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(identities, forKey: .identities)
        try container.encode(sessions, forKey: .sessions)
        try container.encode(activity, forKey: .activity)
        try container.encode(kept, forKey: .kept)
        try container.encode(consents, forKey: .consents)
        try container.encode(pending, forKey: .pending)
        try container.encode(sentMails, forKey: .sentMails)
        try container.encode(openLinks, forKey: .openLinks)
        try container.encode(announcements, forKey: .announcements)
        try container.encode(events, forKey: .events)
        try container.encode(notifications, forKey: .notifications)
        try container.encode(cut, forKey: .cut)
    }
}

/// An account that was merged into the person's.
public struct ExportedMergedAccount: Hashable, Sendable, Codable {
    /// The id that the account had.
    public var id: String
    /// The time of the merge.
    public var mergedAt: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(id: String, mergedAt: APITime) {
        self.id = id
        self.mergedAt = mergedAt
    }
}

/// A session, live or ended not long ago.
public struct ExportedSession: Hashable, Sendable {
    /// The session's id (`ses_…`).
    public var id: String
    /// The kind of session: `browser` or `tokens`.
    public var kind: String
    /// The app or Services ID through which the person signed in.
    public var clientID: String
    /// The device's name, as its client gave it.
    public var deviceName: String?
    /// The time of the sign-in.
    public var createdAt: APITime
    /// The time of the last proof of who the person is: the sign-in, or a later reauthentication.
    public var authenticatedAt: APITime
    /// The time at which the session was renewed last.
    public var lastUsedAt: APITime
    /// The time at which the session ends, unless it is used before.
    public var expiresAt: APITime
    /// The time at which the session was ended. Null while it is live.
    public var endedAt: APITime?
    /// A code that says why the session was ended. Null while it is live.
    public var endReason: String?

    /// Creates a value for the service to send. Clients decode it.
    public init(
        id: String, kind: String, clientID: String, deviceName: String?, createdAt: APITime, authenticatedAt: APITime,
        lastUsedAt: APITime, expiresAt: APITime, endedAt: APITime?, endReason: String?
    ) {
        self.id = id
        self.kind = kind
        self.clientID = clientID
        self.deviceName = deviceName
        self.createdAt = createdAt
        self.authenticatedAt = authenticatedAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.endedAt = endedAt
        self.endReason = endReason
    }
}

extension ExportedSession: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, kind, clientID, deviceName, createdAt, authenticatedAt, lastUsedAt, expiresAt, endedAt, endReason
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(kind, forKey: .kind)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(deviceName, forKey: .deviceName)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(authenticatedAt, forKey: .authenticatedAt)
        try container.encode(lastUsedAt, forKey: .lastUsedAt)
        try container.encode(expiresAt, forKey: .expiresAt)
        try container.encode(endedAt, forKey: .endedAt)
        try container.encode(endReason, forKey: .endReason)
    }
}

/// An entry of the audit log about the account.
public struct ExportedActivity: Hashable, Sendable {
    /// The event's code.
    public var event: String
    /// The time of the event.
    public var at: APITime
    /// The actor: `account`, `operator`, `apple` or `service`.
    public var actor: String
    /// The id of the session in which it happened.
    public var session: String?
    /// The id of the thing that the event is about.
    public var subject: String?
    /// A code that says more.
    public var detail: String?
    /// The network address that the request came from.
    public var address: String?
    /// The device's name, as its client gave it.
    public var device: String?

    /// Creates a value for the service to send. Clients decode it.
    public init(
        event: String, at: APITime, actor: String, session: String?, subject: String?, detail: String?,
        address: String?, device: String?
    ) {
        self.event = event
        self.at = at
        self.actor = actor
        self.session = session
        self.subject = subject
        self.detail = detail
        self.address = address
        self.device = device
    }
}

extension ExportedActivity: Codable {
    private enum CodingKeys: String, CodingKey {
        case event, at, actor, session, subject, detail
        case address, device
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(event, forKey: .event)
        try container.encode(at, forKey: .at)
        try container.encode(actor, forKey: .actor)
        try container.encode(session, forKey: .session)
        try container.encode(subject, forKey: .subject)
        try container.encode(detail, forKey: .detail)
        try container.encode(address, forKey: .address)
        try container.encode(device, forKey: .device)
    }
}

/// A name, and perhaps an address, from a sign-in that didn't succeed.
public struct ExportedPendingProfile: Hashable, Sendable {
    /// The name that Apple gave.
    public var name: AccountName?
    /// The address that Apple gave.
    public var email: String?

    /// Creates a value for the service to send. Clients decode it.
    public init(name: AccountName?, email: String?) {
        self.name = name
        self.email = email
    }
}

extension ExportedPendingProfile: Codable {
    private enum CodingKeys: String, CodingKey { case name, email }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(email, forKey: .email)
    }
}

/// A task for the person that another service hasn't done yet.
public struct ExportedTask: Hashable, Sendable {
    /// The kind of task: `revocation`, `code`, or `mail_` and the kind of a mail to the person that waits.
    public var kind: String
    /// The state of the task: `waiting`, `held` or `parked`.
    public var state: String
    /// The time at which the task was queued.
    public var createdAt: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(kind: String, state: String, createdAt: APITime) {
        self.kind = kind
        self.state = state
        self.createdAt = createdAt
    }
}

extension ExportedTask: Codable {
    private enum CodingKeys: String, CodingKey { case kind, state, createdAt }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(state, forKey: .state)
        try container.encode(createdAt, forKey: .createdAt)
    }
}

/// A notification from Apple about the person.
public struct ExportedNotification: Hashable, Sendable, Codable {
    /// Apple's event type, such as `consent-revoked`.
    public var type: String
    /// The app or Services ID that the notification was about.
    public var clientID: String
    /// A code that says what the service did with it.
    public var outcome: String
    /// The time of the event, by Apple's clock.
    public var happenedAt: APITime
    /// The time at which the service received the notification.
    public var receivedAt: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(type: String, clientID: String, outcome: String, happenedAt: APITime, receivedAt: APITime) {
        self.type = type
        self.clientID = clientID
        self.outcome = outcome
        self.happenedAt = happenedAt
        self.receivedAt = receivedAt
    }
}
