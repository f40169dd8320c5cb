import AccountDatabase
import AppleIDTypes

/// The ways in that this service takes, as it is configured.
struct UsableWaysIn: Sendable {
    /// Whether an email identity is a way in.
    var takesPasswords: Bool
    /// The teams of the configured clients. An Apple Account of another team signs nobody in.
    var teams: Set<TeamID>
    /// The ids of the configured providers beside Apple.
    var providers: Set<String> = []

    /// Whether somebody can sign in with one of these identities.
    func isWayIn(_ identities: [LinkedIdentity]) -> Bool {
        identities.contains { identity in
            if identity.isByEmail { return takesPasswords }
            guard identity.isByApple else { return providers.contains(identity.provider) }
            return identity.team.map(teams.contains) ?? false
        }
    }
}

/// All that the removal of an account's ways in needs, decided beforehand.
struct WayInRemoval: Sendable {
    var at: Timestamp
    var actor: AuditActor
    var ways: UsableWaysIn
    var caller: Caller
    var mail: MailWriter
    /// One for each mail. A removal without one sends no mail.
    var mailIDs: [MailID]

    init(
        at moment: Timestamp, by actor: AuditActor, _ ways: UsableWaysIn, from caller: Caller, mail: MailWriter,
        mails: Int = 1
    ) {
        at = moment
        self.actor = actor
        self.ways = ways
        self.caller = caller
        self.mail = mail
        mailIDs = (0..<mails).map { _ in mail.newID(at: moment) }
    }

    /// Whether somebody could still sign in with one of these identities.
    func isWayIn(_ identities: [LinkedIdentity]) -> Bool { ways.isWayIn(identities) }
}

extension SQLConnection {
    /// Removes a way in, with the sessions that it opened, the consent by which it joined and what Apple gave for it.
    /// Tells audit, events and the address of the account. For a transaction that has locked the identity's person and
    /// the account.
    /// - Returns: whether the person has to remove the app at Apple by hand.
    func removeWayIn(
        _ removed: LinkedIdentity, _ person: TokenHash, of account: AccountID, _ removal: WayInRemoval, mail: MailID?
    ) throws -> Bool {
        // The removed address may be the one that the account's mails go to.
        let recipient = try mailRecipient(of: account)
        try withdrawLinkConsent(of: removed.id, in: account, at: removal.at, by: removal.actor)
        let needsManualRemoval = try end(removed, person, removal)
        try endSessions(
            .endSessionsOfIdentity, .id(removed.id),
            SessionEnding(at: removal.at, reason: .unlinked, by: removal.actor))
        try append(
            AuditEntry(
                .identityUnlinked, at: removal.at, by: removal.actor, account: account, subject: removed.id.rawValue,
                detail: removed.provider))
        try appendEvent(.unlinked, of: account, at: removal.at, about: removed.id.rawValue)
        if let mail {
            try enqueue(
                removal.mail.aboutWayIn(
                    .unlinked, id: mail, to: recipient, of: account, provider: removed.provider,
                    address: removed.address, from: removal.caller, at: removal.at))
        }
        return needsManualRemoval
    }

    private func end(_ removed: LinkedIdentity, _ person: TokenHash, _ removal: WayInRemoval) throws -> Bool {
        guard !removed.isByEmail else {
            try removeEmailIdentity(removed.id, forms: removal.mail.forms, at: removal.at)
            return false
        }
        guard removed.isByApple else {
            // Nothing of another provider's is held that could be revoked there.
            try removeIdentity(removed.id, at: removal.at)
            return false
        }
        let count = try orderRevocation(of: removed.id, person, at: removal.at)
        let needsManualRemoval = try count == 0 && mayBeListedWithNothingOpen(removed.id, person)
        try removeIdentity(removed.id, at: removal.at)
        return needsManualRemoval
    }
}
