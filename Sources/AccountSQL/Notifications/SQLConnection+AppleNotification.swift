import AccountService
import AppleIDTypes

/// What decides about a notification.
private struct IdentityStanding {
    var lastSignInAt: Timestamp
    var lastAuthorizedAt: Timestamp
    var accessEndedAt: Timestamp?
    var ownRevokeAt: Timestamp?
    var forwardsEmail: Bool?
    var forwardingChangedAt: Timestamp?

    init(_ columns: inout SQLColumns) throws {
        lastSignInAt = try columns.time()
        lastAuthorizedAt = try columns.optionalTime() ?? lastSignInAt
        accessEndedAt = try columns.optionalTime()
        ownRevokeAt = try columns.optionalTime()
        forwardsEmail = try columns.optionalFlag()
        forwardingChangedAt = try columns.optionalTime()
    }
}

extension SQLConnection {
    /// Does what a notification says, if anything is left to be done. For a transaction that has locked its person.
    func apply(_ notification: AppleNotification) throws -> (outcome: NotificationOutcome, account: AccountID?) {
        let found = try first(.findIdentity, [.text(notification.team), .text(notification.subject)]) { columns in
            try (identity: columns.word(IdentityID.self), account: columns.word(AccountID.self))
        }
        // Raising the revision locks the account: what is read next stays true.
        guard let found, try execute(.raiseForNotification, [.id(found.account)]) > 0,
            let standing = try first(
                .identityStanding, [.id(found.identity), .id(found.account)], decode: { try IdentityStanding(&$0) })
        else {
            if notification.change == .other { return (.unknownType, nil) }
            return (try isOwnDoing(notification, since: nil) ? .expected : .unknownSubject, nil)
        }
        let outcome = try apply(notification, to: found.identity, of: found.account, standing)
        return (outcome, found.account)
    }

    private func apply(
        _ notification: AppleNotification, to identity: IdentityID, of account: AccountID, _ standing: IdentityStanding
    ) throws -> NotificationOutcome {
        let (happenedAt, now) = (notification.happenedAt, notification.receivedAt)
        switch notification.change {
        case .other:
            return .unknownType
        case .accountDeleted:
            try endAppleAccess(
                of: identity, of: account, endedAt: happenedAt, at: now, reason: .appleAccountDeleted)
            try removeIdentity(identity, at: now)
            try append(
                AuditEntry(.identityRemoved, at: now, by: .apple, account: account, subject: identity.rawValue))
            return .applied
        case _ where happenedAt < standing.lastAuthorizedAt:
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
                if endedAt < happenedAt {
                    try execute(
                        .endAccess, [.id(identity), .time(happenedAt), .text(SessionEndReason.appleConsentRevoked)])
                }
                return .unchanged
            }
            try endAppleAccess(
                of: identity, of: account, endedAt: happenedAt, at: now, reason: .appleConsentRevoked)
            if let deletion = notification.deletion, try !returnsRow(.findOpenIdentity, [.id(account)]) {
                _ = try removeAccount(
                    AccountRemoval(
                        at: now, account: account, handleHash: deletion, by: .service(),
                        reason: SessionEndReason.appleConsentRevoked.rawValue))
            }
            return .applied
        case .emailForwarding(let isOn):
            if let changedAt = standing.forwardingChangedAt, happenedAt < changedAt { return .outdated }
            try execute(.noteForwarding, [.id(identity), .flag(isOn), .time(happenedAt)])
            guard standing.forwardsEmail != isOn else { return .unchanged }
            try appendEvent(
                .emailForwardingChanged, of: account, at: now, about: identity.rawValue,
                reason: isOn ? "enabled" : "disabled")
            return .applied
        }
    }

    /// Ends what a person's Apple Account opened: the identity's sessions end, Apple's tokens for it are forgotten, and
    /// the account's clients are told by one event. The account stays. For a transaction that has raised its revision.
    /// - Parameter endedAt: by Apple's clock where Apple said so.
    func endAppleAccess(
        of identity: IdentityID, of account: AccountID, endedAt: Timestamp, at now: Timestamp,
        reason: SessionEndReason
    ) throws {
        try execute(.endAccess, [.id(identity), .time(endedAt), .text(reason)])
        try execute(.dropAppleTokens, [.id(identity)])
        let actor = reason == .appleGrantDead ? AuditActor.service() : .apple
        try endSessions(
            .endSessionsOfIdentity, .id(identity), SessionEnding(at: now, reason: reason, by: actor),
            tellsOfEach: false)
        try appendEvent(.appleAccessEnded, of: account, at: now, about: identity.rawValue, reason: reason.rawValue)
    }

    /// Takes away what is known of a person whose Apple Account is gone. A row stays, because the sessions that it
    /// opened name it; its subject becomes one that no person has.
    private func removeIdentity(_ identity: IdentityID, at now: Timestamp) throws {
        let person = try first(.personOfIdentity, [.id(identity)]) { columns in
            try (team: TeamID(columns.text()), subject: Subject(columns.text()))
        }
        if let person {
            try removeKeptName(team: person.team, subject: person.subject)
            try hashSubject(person.subject, team: person.team)
        }
        eraseRemoved()
        try execute(
            .removeIdentity, [.id(identity), .text("removed " + identity.rawValue), .flag(false), .time(now)])
    }

    /// Whether an end of consent is what this service has brought about at Apple: it asked Apple so shortly before, by
    /// an entry of the outbox, which outlives the account.
    /// - Parameter lastSignIn: what was done before it is not meant, but what was on its way then is.
    private func isOwnDoing(_ notification: AppleNotification, since lastSignIn: Timestamp?) throws -> Bool {
        guard notification.change == .consentRevoked else { return false }
        return try returnsRow(
            .findAsked,
            [
                .hash(OutboxEntry.personHash(team: notification.team, subject: notification.subject)),
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

extension SQLStatement {
    fileprivate static let findIdentity: Self = """
        SELECT id, account_id FROM identities WHERE provider = 'apple' AND team = ?1 AND subject = ?2
        """
    fileprivate static let raiseForNotification: Self = "UPDATE accounts SET revision = revision + 1 WHERE id = ?1"
    fileprivate static let identityStanding: Self = """
        SELECT last_sign_in_at, last_authorized_at, access_ended_at, own_revoke_at, forwarding_on,
            forwarding_changed_at
        FROM identities WHERE id = ?1 AND account_id = ?2 AND removed_at IS NULL
        """
    fileprivate static let findAsked: Self = """
        SELECT id FROM outbox
        WHERE person_hash = ?1 AND kind = 'revocation' AND asked_at >= ?2 AND asked_at <= ?3
            AND (finished_at IS NULL OR finished_at >= ?4)
        LIMIT 1
        """
    fileprivate static let findOpenIdentity: Self = """
        SELECT id FROM identities WHERE account_id = ?1 AND removed_at IS NULL AND access_ended_at IS NULL
        """
    fileprivate static let noteForwarding: Self = """
        UPDATE identities SET forwarding_on = ?2, forwarding_changed_at = ?3 WHERE id = ?1
        """
    fileprivate static let endAccess: Self = """
        UPDATE identities SET access_ended_at = ?2, access_end_reason = ?3 WHERE id = ?1
        """
    fileprivate static let dropAppleTokens: Self = "DELETE FROM apple_tokens WHERE identity_id = ?1"
    fileprivate static let endSessionsOfIdentity: Self = """
        UPDATE sessions SET ended_at = ?2, end_reason = ?3
        WHERE account_id = (SELECT account_id FROM identities WHERE id = ?1) AND identity_id = ?1 AND ended_at IS NULL
        RETURNING id, account_id
        """
    fileprivate static let personOfIdentity: Self = "SELECT team, subject FROM identities WHERE id = ?1"
    fileprivate static let removeIdentity: Self = """
        UPDATE identities SET subject = ?2, email = NULL, email_verified = ?3, is_private_email = ?3,
            real_user_status = NULL, org_id = NULL, forwarding_on = NULL, removed_at = ?4
        WHERE id = ?1
        """
    fileprivate static let noteOwnRevocation: Self = "UPDATE identities SET own_revoke_at = ?2 WHERE id = ?1"
}
