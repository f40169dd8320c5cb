import AccountDatabase
import AppleID
public import AppleIDTypes
package import Logging

/// Tells a person all that the service holds about them.
public struct Exports: Sendable {
    let store: AccountTransactions
    let nameSeal: Seal
    let logger: Logger
    var environment = AppleIDEnvironment.live

    /// Exports all that is held about a person.
    /// - Returns: the export, the pending profiles in it, opened, and what the audit has, the newest first.
    /// - Throws: ``AccountError/Code/sessionEnded`` when the account is gone.
    public func export(_ account: AccountID) async throws -> (
        export: AccountExport, kept: [OpenedProfile], activity: [AuditEntry]
    ) {
        guard var export = try await store.exportAccount(account, at: Timestamp(environment.now())) else {
            throw AccountError(.sessionEnded, "the account is gone")
        }
        let activity = export.newest(
            .activity,
            of: try await store.auditEntries(of: account, before: nil, limit: AccountExport.maximumListLength + 1))
        return (export, export.pendingProfiles.compactMap(open), activity)
    }

    private func open(_ pending: PendingProfile) -> OpenedProfile? {
        do { return try nameSeal.open(pending) } catch {
            logger.error("A pending profile cannot be decrypted. An export lacks it.", metadata: ["error": "\(error)"])
            return nil
        }
    }
}

extension Exports {
    /// Makes exports for a command that has the database and the keys, and no service.
    package init(store: AccountTransactions, keyRing: KeyRing, logger: Logger) {
        self.init(store: store, nameSeal: Seal(.pendingProfile, keyRing: keyRing), logger: logger)
    }
}

/// All that is held about an account's person, without anything secret.
public struct AccountExport: Sendable {
    /// The greatest number of entries in each ``List``; the newest are exported.
    public static let maximumListLength = 1_000

    /// A part of the export that may be longer than ``maximumListLength``.
    @nonexhaustive
    public enum List: String, Hashable, Sendable, CaseIterable {
        case sessions, activity, events, notifications, consents, mails, sentMails
    }

    /// An identity of the person.
    public struct HeldIdentity: Sendable {
        /// The identity itself.
        public var identity: Identity
        /// Apple's refresh tokens; what they are is not told to anybody.
        package var appleTokens: [AppleToken]
        /// The moves of the identity from one team to another.
        package var transfers: [PersonTransfer] = []
        /// When the password of an email identity was set; nil where there is none. The password is not told to anybody.
        public var passwordSetAt: Timestamp?
        /// Whether the password was wrong too often, and is off until it is reset by mail.
        public var isPasswordOff = false

        package init(identity: Identity, appleTokens: [AppleToken]) {
            self.identity = identity
            self.appleTokens = appleTokens
        }
    }

    /// A one-time link that was sent to the person's address and not used yet.
    public struct HeldLink: Hashable, Sendable {
        /// The use that the link is good for.
        public var purpose: EmailLink.Purpose
        /// The address that the link was sent to.
        public var address: String
        /// When the link is too old.
        public var expiresAt: Timestamp
    }

    /// An account that was merged into the person's.
    public struct MergedAccount: Hashable, Sendable {
        /// The identifier that the account had.
        public var id: AccountID
        /// When it was merged.
        public var mergedAt: Timestamp
    }

    /// A session of the person, live or ended.
    public struct HeldSession: Sendable {
        /// The session itself.
        public var session: Session
        /// When and why the session ended; nil while it lives.
        public var ended: StoredSession.End?

        package init(session: Session, ended: StoredSession.End?) {
            self.session = session
            self.ended = ended
        }
    }

    /// A notification of Apple's about the person. Their identity says whom it is about.
    public struct HeldNotification: Hashable, Sendable {
        /// The type of event, in Apple's word.
        public var type: EventType
        /// The client that Apple sent the notification to.
        public var audience: ClientID
        /// The effect of the notification on what is stored.
        public var outcome: NotificationOutcome
        /// When it happened, by Apple's clock.
        public var happenedAt: Timestamp
        /// When the notification arrived.
        public var receivedAt: Timestamp

        package init(
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

    /// A mail to the person that was delivered. Its note is kept for a day.
    public struct SentMail: Hashable, Sendable {
        /// The subject that the mail was about.
        public var kind: Mail.Kind
        /// When the mail server took the mail.
        public var sentAt: Timestamp

        package init(kind: Mail.Kind, sentAt: Timestamp) {
            self.kind = kind
            self.sentAt = sentAt
        }
    }

    /// A link that was sent by mail and is still good, without its secret.
    public struct OpenLink: Hashable, Sendable {
        /// The kind of mail that the link is in.
        public var kind: Mail.Kind
        /// The session that the link ends, or through which the contact address was changed or entered.
        public var session: SessionID
        /// The name of the device whose sessions the link ends; nil for another link, and if nobody has told one.
        public var device: String?
        /// When the link is too old.
        public var expiresAt: Timestamp

        package init(kind: Mail.Kind, session: SessionID, device: String?, expiresAt: Timestamp) {
            self.kind = kind
            self.session = session
            self.device = device
            self.expiresAt = expiresAt
        }
    }

    /// The id that an imported person had at the service that they came from.
    public struct FormerID: Hashable, Sendable {
        /// The service, such as `firebase`.
        public var source: String
        /// The person's id there.
        public var id: String
        /// When the person was imported.
        public var importedAt: Timestamp
    }

    /// The account's identifier.
    public var id: AccountID
    /// The name that the person typed, or else the one that Apple gave, if any.
    public var name: PersonName?
    /// When the person typed the name, or removed it; nil for a name from Apple.
    public var nameTypedAt: Timestamp?
    package var contact = ContactFacts()
    /// The address to which the service writes, which the person has confirmed; nil if they gave none.
    public var contactEmail: String? { contact.email }
    /// When the person confirmed ``contactEmail``.
    public var contactEmailVerifiedAt: Timestamp?
    /// The address that becomes ``contactEmail`` when the person opens the link that was sent to it; nil if none waits.
    public var pendingContactEmail: String? { contact.pendingEmail }
    /// The phone number in the form of E.164, which nobody has verified; nil if the person gave none.
    public var phone: String? { contact.phone }
    /// The changes of the contact address that can be taken back, the newest first. They hold the former addresses.
    public var contactChanges: [ContactChange] = []
    /// The consents that the person gave, newest first, those that were withdrawn too.
    public var consents: [Consent] = []
    /// The person's ids at services from which they were imported.
    public var formerIDs: [FormerID] = []
    /// The accounts that were merged into this one, the latest first.
    public var mergedAccounts: [MergedAccount] = []
    /// When the account was made.
    public var createdAt: Timestamp
    /// The identities by which the person signs in.
    public var identities: [HeldIdentity]
    /// The one-time links of the account that were not used yet, the newest first. They are gone after a quarter of an hour.
    public var emailLinks: [HeldLink] = []
    /// The newest first.
    public var sessions: [HeldSession]
    /// Names and addresses that wait for a sign-in to succeed, sealed.
    package var pendingProfiles: [PendingProfile]
    /// The work that is still to be done for the person elsewhere.
    package var outbox: [OutboxEntry]
    /// The mails to the person that wait, newest first, without their content.
    package var mails: [ListedMail] = []
    /// The mails to the person that were delivered within the last day, newest first.
    public var sentMails: [SentMail] = []
    /// The links in mails to the person that are still good, those that end first at the beginning.
    public var openLinks: [OpenLink] = []
    /// The names of the announcements that the person was sent within the last year, in the order of their letters.
    public var announcements: [String] = []
    /// The events that the account's clients are told, the newest first.
    public var events: [AccountEvent]
    /// Apple's notifications about the person, the newest first.
    public var notifications: [HeldNotification]
    /// The lists that were longer than ``maximumListLength``.
    public var cut: Set<List> = []

    package init(
        id: AccountID, name: PersonName?, createdAt: Timestamp, identities: [HeldIdentity], sessions: [HeldSession],
        pendingProfiles: [PendingProfile], outbox: [OutboxEntry], events: [AccountEvent] = [],
        notifications: [HeldNotification] = []
    ) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.identities = identities
        self.sessions = sessions
        self.pendingProfiles = pendingProfiles
        self.outbox = outbox
        self.events = events
        self.notifications = notifications
    }
}

extension AccountExport {
    /// Returns the exported part of a list, and notes when that part is not all.
    /// - Parameter rows: the newest first, one more than ``maximumListLength`` where there are so many.
    package mutating func newest<Row>(_ list: List, of rows: [Row]) -> [Row] {
        if rows.count > Self.maximumListLength { cut.insert(list) }
        return Array(rows.prefix(Self.maximumListLength))
    }
}

extension AccountTransactions {
    /// All that is held about an account; nil when there is none.
    /// - Parameter moment: links in mails that are too old then are left out.
    package func exportAccount(
        _ id: AccountID, at moment: Timestamp = Timestamp(microseconds: .min)
    ) async throws -> AccountExport? {
        try await read { try $0.exportAccount(id, at: moment) }
    }
}

extension SQLConnection {
    fileprivate func exportAccount(_ id: AccountID, at moment: Timestamp) throws -> AccountExport? {
        let account = try first(.exportedAccount, [.id(id)]) { columns in
            try (
                createdAt: columns.time(), name: columns.name(), typedAt: columns.optionalTime(),
                contact: ContactFacts(&columns), verifiedAt: columns.optionalTime()
            )
        }
        guard let account else { return nil }
        var export = AccountExport(
            id: id, name: account.name, createdAt: account.createdAt, identities: [],
            sessions: [], pendingProfiles: [], outbox: [])
        export.nameTypedAt = account.typedAt
        export.contact = account.contact
        export.contactEmailVerifiedAt = account.verifiedAt
        export.contactChanges = try contactChanges(of: id)
        export.consents = try consents(of: id)
        export.mergedAccounts = try accountsMerged(into: id)
        if try consentCount(of: id) > export.consents.count { export.cut.insert(.consents) }
        export.sessions = try export.newest(.sessions, of: exportedSessions(of: id))
        export.events = try export.newest(.events, of: exportedEvents(of: id))
        export.mails = try export.newest(.mails, of: mails(of: id))
        export.sentMails = try export.newest(.sentMails, of: sentMails(to: id))
        export.openLinks = try openLinks(of: id)
        export.announcements = try announcements(to: id)
        export.formerIDs = try query(.formerIDsOfAccount, [.id(id)]) { columns in
            try AccountExport.FormerID(source: columns.text(), id: columns.text(), importedAt: columns.time())
        }
        export.emailLinks = try emailLinks(of: id, at: moment).map {
            AccountExport.HeldLink(purpose: $0.purpose, address: $0.address, expiresAt: $0.expiresAt)
        }
        var notifications = try exportedNotifications(.notificationsOfAccount, [.id(id)])
        for identity in try identities(of: id) {
            var held = AccountExport.HeldIdentity(identity: identity, appleTokens: try appleTokens(of: identity.id))
            held.transfers = try transfers(of: identity.id)
            if identity.provider == .email, let password = try emailIdentity(identity.id)?.password {
                held.passwordSetAt = password.setAt
                held.isPasswordOff = password.isOff
            }
            export.identities.append(held)
            guard identity.provider == .apple else { continue }
            if let kept = try pendingProfile(team: identity.team, subject: identity.subject) {
                export.pendingProfiles.append(kept)
            }
            let person = identity.personHash
            export.outbox += try query(.exportedOutbox, [.hash(person)]) { try $0.outboxEntry() }
            // Those that came before the account was there.
            notifications += try exportedNotifications(
                .earlyNotifications,
                [
                    .text(identity.team), .text(identity.subject),
                    .text(AppleNotification.hashedSubject(identity.subject, team: identity.team)),
                ])
        }
        export.notifications = export.newest(
            .notifications, of: notifications.sorted { $0.receivedAt > $1.receivedAt })
        return export
    }

    private func sentMails(to account: AccountID) throws -> [AccountExport.SentMail] {
        try query(.sentMailsOfAccount, [.id(account), Self.rows]) { columns in
            try AccountExport.SentMail(kind: columns.word(), sentAt: columns.time())
        }
    }

    private func openLinks(of account: AccountID) throws -> [AccountExport.OpenLink] {
        try query(.openLinksOfAccount, [.id(account)]) { columns in
            try AccountExport.OpenLink(
                kind: columns.word(), session: columns.word(), device: columns.optionalText(),
                expiresAt: columns.time())
        }
    }

    private static var rows: SQLValue { .int64(Int64(AccountExport.maximumListLength + 1)) }

    private func exportedEvents(of account: AccountID) throws -> [AccountEvent] {
        try query(.exportedEvents, [.id(account), Self.rows]) { try AccountEvent(&$0) }
    }

    private func exportedNotifications(
        _ statement: SQLStatement, _ values: [SQLValue]
    ) throws -> [AccountExport.HeldNotification] {
        try query(statement, values + [Self.rows]) { columns in
            try AccountExport.HeldNotification(
                type: EventType(columns.text()), audience: columns.word(), outcome: columns.word(),
                happenedAt: columns.time(), receivedAt: columns.time())
        }
    }

    private func exportedSessions(of account: AccountID) throws -> [AccountExport.HeldSession] {
        try query(.exportedSessions, [.id(account), Self.rows]) { columns in
            let session = try Session(&columns)
            let endedAt = try columns.optionalTime()
            let reason = try columns.optionalText().map(SessionEndReason.init(rawValue:))
            var ended: StoredSession.End?
            if let endedAt, let reason { ended = StoredSession.End(at: endedAt, reason: reason) }
            return AccountExport.HeldSession(session: session, ended: ended)
        }
    }
}

extension SQLStatement {
    fileprivate static let exportedAccount: Self = """
        SELECT created_at, \(nameColumns), name_typed_at, \(contactColumns), contact_email_verified_at
        FROM accounts WHERE id = ?1
        """
    fileprivate static let exportedSessions: Self = """
        SELECT \(sessionColumns), s.ended_at, s.end_reason FROM sessions s
        WHERE s.account_id = ?1 ORDER BY s.id DESC LIMIT ?2
        """
    fileprivate static let exportedEvents: Self = """
        SELECT \(eventColumns) FROM account_events WHERE account_id = ?1 ORDER BY revision DESC LIMIT ?2
        """
    fileprivate static let sentMailsOfAccount: Self = """
        SELECT kind, sent_at FROM mails_sent WHERE account_id = ?1 ORDER BY sent_at DESC, id LIMIT ?2
        """
    fileprivate static let openLinksOfAccount: Self = """
        SELECT 'new_device' AS kind, session_id, device_name, expires_at FROM not_me_links WHERE account_id = ?1
        UNION ALL
        SELECT 'address_changed', changed_session_id, NULL, expires_at FROM contact_changes WHERE account_id = ?1
        UNION ALL
        SELECT 'verify_address', pending_contact_session_id, NULL, pending_contact_expires_at FROM accounts
        WHERE id = ?1 AND pending_contact_hash IS NOT NULL
        ORDER BY expires_at, kind
        """
    fileprivate static let formerIDsOfAccount: Self = """
        SELECT source, former_id, imported_at FROM imported_people
        WHERE account_id = ?1 ORDER BY source, former_id
        """
    private static let notificationColumns: Self = "type, audience, outcome, happened_at, received_at"
    fileprivate static let notificationsOfAccount: Self = """
        SELECT \(notificationColumns) FROM apple_notifications WHERE account_id = ?1 ORDER BY received_at DESC LIMIT ?2
        """
    fileprivate static let earlyNotifications: Self = """
        SELECT \(notificationColumns) FROM apple_notifications
        WHERE team = ?1 AND subject IN (?2, ?3) AND account_id IS NULL ORDER BY received_at DESC LIMIT ?4
        """
    fileprivate static let exportedOutbox: Self = """
        SELECT \(outboxColumns) FROM outbox WHERE person_hash = ?1 AND finished_at IS NULL ORDER BY created_at, id
        """
}
