import AccountDatabase
import AppleIDTypes

extension AccountTransactions {
    /// Keeps a notification and does what it says, in its order; a repeat by `id` is neither kept nor applied.
    ///
    /// In this order: an unknown type or subject is only kept. `accountDeleted` ends access, withdraws the consent by which
    /// the identity joined the account, and takes away what is known of the identity, always. An end of consent from
    /// before the identity's last authorization is outdated. An end of consent within
    /// ``AppleNotification/ownRevokeEcho`` after this service ordered a revocation, or asked Apple for one, is expected;
    /// another ends access: the identity's sessions end, its tokens are dropped, the
    /// account stays. The last end counts. Where ``AppleNotification/deletion`` says so, an end of consent that is
    /// applied deletes the account, if no other identity opens it. Forwarding is noted unless a later word of it came
    /// before, or the word is about another address than the identity has now. Where Apple forwards mail no more,
    /// mails to the identity's relay address are held, and where it forwards again, they are due. The subject of
    /// somebody who has no account is kept as a hash alone.
    /// - Parameter mails: tell the person of a deletion; nil where the service sends no mail.
    package func applyNotification(
        _ notification: AppleNotification, mails: DeletionMails? = nil
    ) async throws -> NotificationReceipt {
        let person = TokenHash.person(team: notification.team, subject: notification.subject)
        return try await write { connection in
            try connection.lock(person: person)
            guard try connection.keep(notification) else {
                let outcome = try connection.first(.outcomeOfNotification, [.text(notification.id)]) {
                    try $0.word(NotificationOutcome.self)
                }
                return NotificationReceipt(outcome: outcome ?? .unchanged, account: nil, isRepeat: true)
            }
            let (outcome, account) = try connection.apply(notification, mails: mails)
            try connection.execute(
                .finishNotification, [.text(notification.id), .text(outcome), .id(orNull: account)])
            let isAnybody = try account.map { try connection.returnsRow(.findAccount, [.id($0)]) } ?? false
            if !isAnybody {
                // Nobody of this subject has an account here, or not any more: nothing has to name them.
                try connection.hashSubject(notification.subject, team: notification.team)
            }
            return NotificationReceipt(outcome: outcome, account: account, isRepeat: false)
        }
    }

    /// The last notifications that came, latest first.
    package func appleNotifications(limit: Int) async throws -> [KeptNotification] {
        try await read { connection in
            try connection.query(.lastNotifications, [.int64(Int64(max(0, limit)))]) { columns in
                let notification = try AppleNotification(
                    id: columns.text(), type: EventType(columns.text()),
                    change: columns.text(as: "a change", AppleNotification.Change.init(word:)),
                    team: TeamID(columns.text()), audience: columns.word(), subject: Subject(columns.text()),
                    happenedAt: columns.time(), receivedAt: columns.time())
                return try KeptNotification(
                    notification: notification, outcome: columns.word(),
                    account: columns.optionalText().map(AccountID.init(rawValue:)))
            }
        }
    }
}

extension SQLConnection {
    /// - Returns: whether it is the first delivery.
    fileprivate func keep(_ notification: AppleNotification) throws -> Bool {
        try returnsRow(
            .keepNotification,
            [
                .text(notification.id), .text(notification.type), .text(notification.change.word),
                .text(notification.team), .text(notification.audience), .text(notification.subject),
                .time(notification.happenedAt), .time(notification.receivedAt),
                .time(notification.receivedAt + AppleNotification.lifetime),
            ])
    }

    /// Takes a person's subject out of all that Apple has sent about them.
    func hashSubject(_ subject: Subject, team: TeamID) throws {
        let hashed = AppleNotification.hashedSubject(subject, team: team)
        try execute(.hashSubject, [.text(subject), .text(team), .text(hashed)])
    }

    /// Does what a notification says, if anything is left to be done. For a transaction that has locked its person.
    func apply(
        _ notification: AppleNotification, mails: DeletionMails? = nil
    ) throws -> (outcome: NotificationOutcome, account: AccountID?) {
        let found = try first(.findIdentity, [.text(notification.team), .text(notification.subject)]) { columns in
            try (identity: columns.word(IdentityID.self), account: columns.word(AccountID.self))
        }
        // Raising the revision locks the account: what is read next stays true.
        guard let found, try lock(account: found.account),
            let standing = try first(
                .identityStanding, [.id(found.identity), .id(found.account)], decode: { try IdentityStanding(&$0) })
        else {
            if notification.change == .other { return (.unknownType, nil) }
            return (try isOwnDoing(notification, since: nil) ? .expected : .unknownSubject, nil)
        }
        let outcome = try apply(notification, to: found.identity, of: found.account, standing, mails)
        return (outcome, found.account)
    }

    /// Does what notifications say that named a person by a subject which nobody had here then. For a transaction that has
    /// locked the person, and given an identity this subject.
    /// - Parameters:
    ///   - moment: notifications from before are older than the person's last authorization.
    ///   - deletion: see ``AppleNotification/deletion``; nil where an end of consent deletes no account.
    func applyEarlyNotifications(
        of team: TeamID, about subject: Subject, since moment: Timestamp?, deletion: TokenHash?, at now: Timestamp
    ) throws {
        let early = try query(
            .notificationsSince,
            [
                .text(team), .text(subject), .text(AppleNotification.hashedSubject(subject, team: team)),
                .time(moment ?? Timestamp(microseconds: .min)),
            ]
        ) { columns in
            try AppleNotification(
                id: columns.text(), type: EventType(columns.text()),
                change: columns.text(as: "a change", AppleNotification.Change.init(word:)), team: team,
                audience: columns.word(), subject: subject, happenedAt: columns.time(), receivedAt: now)
        }
        for var notification in early {
            if notification.change == .consentRevoked { notification.deletion = deletion }
            let (outcome, account) = try apply(notification)
            guard let account else { continue }
            try execute(.finishNotification, [.text(notification.id), .text(outcome), .id(account)])
        }
    }

    private func apply(
        _ notification: AppleNotification, to identity: IdentityID, of account: AccountID, _ standing: IdentityStanding,
        _ mails: DeletionMails?
    ) throws -> NotificationOutcome {
        let (happenedAt, now) = (notification.happenedAt, notification.receivedAt)
        switch notification.change {
        case .other:
            return .unknownType
        case .accountDeleted:
            try endAppleAccess(
                of: identity, of: account, endedAt: happenedAt, at: now, reason: .appleAccountDeleted)
            // As with the removal of a way in: nothing is left of what the consent allowed.
            try withdrawLinkConsent(of: identity, in: account, at: now, by: .apple)
            try removeIdentity(identity, at: now)
            try append(
                AuditEntry(.identityRemoved, at: now, by: .apple, account: account, subject: identity.rawValue))
            return .applied
        case .consentRevoked where happenedAt < standing.lastAuthorizedAt:
            return .outdated
        case .consentRevoked:
            if let revokedAt = standing.ownRevokeAt, happenedAt <= revokedAt + AppleNotification.ownRevokeEcho,
                happenedAt >= revokedAt - .minutes(1)
            {
                return .expected
            }
            if try isOwnDoing(notification, since: standing.lastSignInAt) { return .expected }
            if let endedAt = standing.accessEndedAt {
                // Nothing is left to end, but a credential from between the two ends proves nothing any more.
                let wasDead = standing.accessEndReason == .appleGrantDead
                if endedAt < happenedAt || wasDead {
                    let later = max(endedAt, happenedAt)
                    try execute(
                        .endAccess, [.id(identity), .time(later), .text(SessionEndReason.appleConsentRevoked)])
                }
                // A dead grant deletes no account. So this is the first time that the account may have to go.
                return try wasDead && deleteIfClosed(account, by: notification, mails) ? .applied : .unchanged
            }
            try endAppleAccess(
                of: identity, of: account, endedAt: happenedAt, at: now, reason: .appleConsentRevoked)
            _ = try deleteIfClosed(account, by: notification, mails)
            return .applied
        case .emailForwarding(let isOn):
            guard standing.isForwardingNews(notification) else { return .outdated }
            try execute(.noteForwarding, [.id(identity), .flag(isOn), .time(happenedAt)])
            if isOn {
                try releaseRelayMails(to: identity, of: account, at: now)
            } else {
                try holdRelayMails(to: identity, of: account)
            }
            guard standing.forwardsEmail != isOn else { return .unchanged }
            try appendEvent(
                .emailForwardingChanged, of: account, at: now, about: identity.rawValue,
                reason: isOn ? "enabled" : "disabled")
            return .applied
        }
    }

    /// Deletes an account whose person has stopped using the app, if the operator wishes so and no other identity opens it.
    /// - Returns: whether it was deleted.
    private func deleteIfClosed(
        _ account: AccountID, by notification: AppleNotification, _ mails: DeletionMails?
    ) throws -> Bool {
        guard let deletion = notification.deletion,
            try !returnsRow(.findOpenIdentity, [.id(account), .text(SessionEndReason.appleGrantDead)])
        else { return false }
        var purge = PurgeRecord(
            at: notification.receivedAt, account: account, handleHash: deletion, by: .service(),
            reason: SessionEndReason.appleConsentRevoked.rawValue)
        purge.mails = mails
        _ = try purgeAccount(purge, isAuthorized: false)
        return true
    }

    /// Ends what a person's Apple Account opened: the identity's sessions end, Apple's tokens for it are forgotten, handles
    /// that it has proven no longer work, and the account's clients are told by one event. The account stays. For a
    /// transaction that has raised its revision.
    /// - Parameter endedAt: by Apple's clock where Apple said so.
    func endAppleAccess(
        of identity: IdentityID, of account: AccountID, endedAt: Timestamp, at now: Timestamp,
        reason: SessionEndReason
    ) throws {
        try execute(.endAccess, [.id(identity), .time(endedAt), .text(reason)])
        try execute(.dropAppleTokens, [.id(identity)])
        try removeConflicts(of: identity)
        let actor = reason == .appleGrantDead ? AuditActor.service() : .apple
        try endSessions(
            .endSessionsOfIdentity, .id(identity), SessionEnding(at: now, reason: reason, by: actor),
            tellsOfEach: false)
        try appendEvent(.appleAccessEnded, of: account, at: now, about: identity.rawValue, reason: reason.rawValue)
    }

    /// Whether an end of consent is what this service has brought about at Apple: it asked Apple so shortly before, by
    /// an entry of the outbox, which outlives the account.
    /// - Parameter lastSignIn: what was done before it is not meant, but what was on its way then is.
    private func isOwnDoing(_ notification: AppleNotification, since lastSignIn: Timestamp?) throws -> Bool {
        guard notification.change == .consentRevoked else { return false }
        return try returnsRow(
            .findAsked,
            [
                .hash(TokenHash.person(team: notification.team, subject: notification.subject)),
                .time(notification.happenedAt - AppleNotification.ownRevokeEcho),
                .time(notification.happenedAt + .minutes(1)),
                .time(lastSignIn ?? Timestamp(microseconds: .min)),
            ])
    }

    /// Notes that this service is to revoke the person's tokens at Apple: their credential is as good as revoked, and
    /// the notification that follows says nothing new. For the transaction that decides on it.
    func noteOwnRevocation(of identity: IdentityID, at now: Timestamp) throws {
        try execute(.noteOwnRevocation, [.id(identity), .time(now)])
    }
}

extension AppleNotification {
    /// Returns the text that stands in the place of the subject of somebody who has no account.
    static func hashedSubject(_ subject: Subject, team: TeamID) -> String {
        hashedSubject(TokenHash.person(team: team, subject: subject))
    }

    static func hashedSubject(_ person: TokenHash) -> String {
        let bytes = person.bytes
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "sha256 " + String(decoding: text, as: UTF8.self)
    }
}

extension AppleNotification.Change {
    fileprivate var word: String {
        switch self {
        case .consentRevoked: "consent_revoked"
        case .accountDeleted: "account_deleted"
        case .emailForwarding(true): "forwarding_enabled"
        case .emailForwarding(false): "forwarding_disabled"
        case .other: "other"
        }
    }

    init?(word: String) {
        let all: [Self] = [
            .consentRevoked, .accountDeleted, .emailForwarding(true), .emailForwarding(false), .other,
        ]
        guard let change = all.first(where: { $0.word == word }) else { return nil }
        self = change
    }
}

/// The columns of an identity that decide about a notification.
private struct IdentityStanding {
    var lastSignInAt: Timestamp
    var lastAuthorizedAt: Timestamp
    var accessEndedAt: Timestamp?
    var accessEndReason: SessionEndReason?
    var ownRevokeAt: Timestamp?
    var forwardsEmail: Bool?
    /// When Apple's last word on forwarding happened, or when the address changed since.
    var forwardingChangedAt: Timestamp?
    var email: String?

    init(_ columns: inout SQLColumns) throws {
        lastSignInAt = try columns.time()
        lastAuthorizedAt = try columns.optionalTime() ?? lastSignInAt
        accessEndedAt = try columns.optionalTime()
        ownRevokeAt = try columns.optionalTime()
        forwardsEmail = try columns.optionalFlag()
        forwardingChangedAt = try columns.optionalTime()
        email = try columns.optionalText()
        accessEndReason = try columns.optionalText().map(SessionEndReason.init(rawValue:))
    }

    /// Whether a word of Apple's on forwarding counts: no later one has come before, and it is about the present address. A
    /// sign-in says nothing about forwarding, so it outdates only a word that names no address.
    func isForwardingNews(_ notification: AppleNotification) -> Bool {
        if let changedAt = forwardingChangedAt, notification.happenedAt < changedAt { return false }
        guard let address = notification.address else { return notification.happenedAt >= lastAuthorizedAt }
        return email.map { AccountSearch.folded(address: $0) == AccountSearch.folded(address: address) } ?? true
    }
}

extension SQLStatement {
    /// An account that it has deleted is not named. The outcome is written when it is known, in the same transaction.
    fileprivate static let keepNotification: Self = """
        INSERT INTO apple_notifications (id, type, change, team, audience, subject, happened_at, received_at,
            outcome, expires_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'received', ?9)
        ON CONFLICT (id) DO NOTHING RETURNING id
        """
    fileprivate static let finishNotification: Self = """
        UPDATE apple_notifications SET outcome = ?2, account_id = (SELECT id FROM accounts WHERE id = ?3) WHERE id = ?1
        """
    fileprivate static let notificationsSince: Self = """
        SELECT id, type, change, audience, happened_at FROM apple_notifications
        WHERE team = ?1 AND subject IN (?2, ?3) AND happened_at >= ?4 AND outcome <> 'expected' AND change <> 'other'
        ORDER BY happened_at LIMIT 100
        """
    fileprivate static let findAccount: Self = "SELECT id FROM accounts WHERE id = ?1"
    fileprivate static let hashSubject: Self = """
        UPDATE apple_notifications SET subject = ?3 WHERE subject = ?1 AND team = ?2
        """
    fileprivate static let outcomeOfNotification: Self = "SELECT outcome FROM apple_notifications WHERE id = ?1"
    fileprivate static let lastNotifications: Self = """
        SELECT id, type, change, team, audience, subject, happened_at, received_at, outcome, account_id
        FROM apple_notifications ORDER BY received_at DESC, id LIMIT ?1
        """

    fileprivate static let findIdentity: Self = """
        SELECT id, account_id FROM identities WHERE provider = 'apple' AND team = ?1 AND subject = ?2
        """
    fileprivate static let identityStanding: Self = """
        SELECT last_sign_in_at, last_authorized_at, access_ended_at, own_revoke_at, forwarding_on,
            forwarding_changed_at, email, access_end_reason
        FROM identities WHERE id = ?1 AND account_id = ?2 AND removed_at IS NULL
        """
    fileprivate static let findAsked: Self = """
        SELECT id FROM outbox
        WHERE person_hash = ?1 AND kind = 'revocation' AND asked_at >= ?2 AND asked_at <= ?3
            AND (finished_at IS NULL OR finished_at >= ?4)
        LIMIT 1
        """
    /// An identity whose grant is dead opens its account at the next sign-in.
    fileprivate static let findOpenIdentity: Self = """
        SELECT id FROM identities
        WHERE account_id = ?1 AND removed_at IS NULL AND (access_ended_at IS NULL OR access_end_reason = ?2)
        """
    fileprivate static let noteForwarding: Self = """
        UPDATE identities SET forwarding_on = ?2, forwarding_changed_at = ?3 WHERE id = ?1
        """
    fileprivate static let endAccess: Self = """
        UPDATE identities SET access_ended_at = ?2, access_end_reason = ?3 WHERE id = ?1
        """
    fileprivate static let dropAppleTokens: Self = "DELETE FROM apple_tokens WHERE identity_id = ?1"
    static let endSessionsOfIdentity: Self = """
        UPDATE sessions SET ended_at = ?2, end_reason = ?3
        WHERE account_id = (SELECT account_id FROM identities WHERE id = ?1) AND identity_id = ?1 AND ended_at IS NULL
        RETURNING id, account_id
        """
    fileprivate static let noteOwnRevocation: Self = "UPDATE identities SET own_revoke_at = ?2 WHERE id = ?1"
}
