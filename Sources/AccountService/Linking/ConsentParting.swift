import AccountDatabase
public import AppleIDTypes

/// A withdrawn consent, with what it had joined to the account.
public struct ConsentWithdrawal: Hashable, Sendable, Redacted {
    /// The account afterwards.
    public var account: Account
    /// The identities that had joined the account by the consent: by a link one, by a merge each that came. They don't open
    /// the account any more. Empty if none had.
    public var unlinked: [LinkedIdentity]
    /// The identities that had joined the account by the consent and stay, because nobody could sign in without them.
    public var kept: [LinkedIdentity]
    /// Whether the session that asked has ended, because one of ``unlinked`` had opened it.
    public var endsSession: Bool
    /// Whether Apple may go on listing the app for one of ``unlinked``, so that the person has to remove it by hand.
    public var needsManualRemoval: Bool
}

/// The identities that go with a consent, and those that can't go.
struct ConsentParting: Sendable {
    var parted: [LinkedIdentity] = []
    var kept: [LinkedIdentity] = []
}

extension AccountTransactions {
    /// The identities that go if a consent is withdrawn, and those that can't go.
    func consentParting(
        of account: AccountID, from consent: ConsentID, _ removal: WayInRemoval
    ) async throws -> ConsentParting {
        try await read { try $0.consentParting(of: account, from: consent, removal) }
    }
}

extension SQLConnection {
    /// Removes the identities that go with a consent. For a transaction that has locked the account and their persons.
    /// - Parameter people: the persons whom the transaction has locked, by their identities.
    func part(
        _ withdrawal: inout ConsentWithdrawal, from consent: ConsentID, _ session: Session,
        _ people: [IdentityID: TokenHash], _ removal: WayInRemoval
    ) throws {
        let parting = try consentParting(of: session.accountID, from: consent, removal)
        withdrawal.kept = parting.kept
        guard !parting.parted.isEmpty else { return }
        try session.requireRecentSignIn(at: removal.at)
        for (index, identity) in parting.parted.enumerated() {
            guard let person = people[identity.id] else { throw PersonNotLocked() }
            let mail = index < removal.mailIDs.count ? removal.mailIDs[index] : nil
            let needsRemoval = try removeWayIn(identity, person, of: session.accountID, removal, mail: mail)
            withdrawal.needsManualRemoval = withdrawal.needsManualRemoval || needsRemoval
            withdrawal.endsSession = withdrawal.endsSession || identity.id == session.identityID
            withdrawal.unlinked.append(identity)
        }
    }

    /// Notes the consent by which an identity has joined its account.
    func note(_ consent: ConsentID, joining identity: IdentityID) throws {
        try execute(.noteLinkConsent, [.id(identity), .id(consent)])
    }

    /// Withdraws the consent by which an identity joined its account: the identity goes, and nothing is left of what
    /// the consent allowed. A consent by which another identity has joined, too, as after a merge, stays for that one.
    /// For a transaction that has raised the account's revision.
    func withdrawLinkConsent(
        of identity: IdentityID, in account: AccountID, at moment: Timestamp, by actor: AuditActor
    ) throws {
        let purpose = Consent.Purpose.linkedIdentity
        let consent = try first(.linkConsentOfIdentity, [.id(identity), .text(purpose)]) { try $0.word(ConsentID.self) }
        if let consent { try withdraw(consent, to: purpose, of: account, at: moment, by: actor) }
    }

    /// The identities that joined an account by a consent which holds, each with that consent.
    func holdingLinkConsents(of account: AccountID) throws -> [IdentityID: ConsentID] {
        let found = try query(.holdingLinkConsents, [.id(account)]) { columns in
            try (columns.word(IdentityID.self), columns.word(ConsentID.self))
        }
        return Dictionary(found) { first, _ in first }
    }

    /// Lets an identity go with the consent by which the identity joined the account whose place it takes.
    func keepLinkConsent(of former: IdentityID, for identity: IdentityID) throws {
        try execute(.keepLinkConsent, [.id(former), .id(identity)])
    }

    /// The identities that go if a consent is withdrawn, and those that can't go.
    ///
    /// An identity goes if it joined the account by the consent, whether or not it still hides its address, as long as
    /// the person can sign in without it. The newest goes first. One identity at most joined by a consent to a link.
    /// Several may have joined by a consent to a merge, or by one to contact data, which an older program asked for.
    func consentParting(
        of account: AccountID, from consent: ConsentID, _ removal: WayInRemoval
    ) throws -> ConsentParting {
        let joined = Set(try query(.identitiesJoined, [.id(account), .id(consent)]) { try $0.word(IdentityID.self) })
        guard !joined.isEmpty else { return ConsentParting() }
        var left = try linkedIdentities(of: account)
        var parting = ConsentParting()
        for identity in left.reversed() where joined.contains(identity.id) {
            let others = left.filter { $0.id != identity.id }
            if removal.isWayIn(others) {
                parting.parted.append(identity)
                left = others
            } else {
                parting.kept.append(identity)
            }
        }
        return parting
    }

    /// The persons of the identities that have joined the account of a session by a consent.
    func peopleJoined(by consent: ConsentID, inAccountOf session: SessionID) throws -> [IdentityID: TokenHash] {
        let found = try query(.peopleJoined, [.id(session), .id(consent)]) { columns in
            try (
                columns.word(IdentityID.self),
                TokenHash.person(team: columns.word(), subject: Subject(columns.text()))
            )
        }
        return Dictionary(found) { first, _ in first }
    }
}

extension SQLStatement {
    fileprivate static let noteLinkConsent: Self = "UPDATE identities SET link_consent_id = ?2 WHERE id = ?1"
    fileprivate static let keepLinkConsent: Self = """
        UPDATE identities SET link_consent_id = (SELECT f.link_consent_id FROM identities f WHERE f.id = ?1)
        WHERE id = ?2 AND link_consent_id IS NULL
        """
    fileprivate static let linkConsentOfIdentity: Self = """
        SELECT c.id FROM identities i JOIN consents c ON c.id = i.link_consent_id
        WHERE i.id = ?1 AND c.purpose = ?2 AND c.withdrawn_at IS NULL AND NOT EXISTS
            (SELECT o.id FROM identities o WHERE o.account_id = i.account_id AND o.link_consent_id = c.id
                AND o.id <> i.id AND o.removed_at IS NULL)
        """
    fileprivate static let holdingLinkConsents: Self = """
        SELECT i.id, c.id FROM identities i JOIN consents c ON c.id = i.link_consent_id
        WHERE i.account_id = ?1 AND i.removed_at IS NULL AND c.withdrawn_at IS NULL
        """
    /// Joins the identities `i` that go with the consent `?2`. A consent to contact data is withdrawn with every other
    /// one to the same data.
    private static let withConsent: Self = """
        JOIN consents c ON c.id = i.link_consent_id
        JOIN consents w ON w.id = ?2 AND w.account_id = c.account_id AND w.purpose = c.purpose
            AND (w.id = c.id OR w.purpose <> 'linked_identity')
        """
    fileprivate static let identitiesJoined: Self = """
        SELECT i.id FROM identities i \(withConsent) WHERE i.account_id = ?1 AND i.removed_at IS NULL
        """
    fileprivate static let peopleJoined: Self = """
        SELECT i.id, i.team, i.subject FROM sessions s JOIN identities i ON i.account_id = s.account_id \(withConsent)
        WHERE s.id = ?1 AND i.removed_at IS NULL
        """
}
