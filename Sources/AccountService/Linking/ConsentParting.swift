import AccountDatabase
public import AppleIDTypes

/// A withdrawn consent, with what it had joined to the account.
public struct ConsentWithdrawal: Hashable, Sendable, Redacted {
    /// The account afterwards.
    public var account: Account
    /// The identities that had joined the account with the consent. They don't open it any more.
    public var unlinked: [LinkedIdentity]
    /// The identities that had joined the account with the consent and stay, because nobody could sign in without them.
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
    /// The identities that go if the consent to addresses is withdrawn, and those that can't go.
    func consentParting(of account: AccountID, _ removal: WayInRemoval) async throws -> ConsentParting {
        try await read { try $0.consentParting(of: account, removal) }
    }
}

extension SQLConnection {
    /// Removes the identities that go with a consent to addresses. For a transaction that has locked the account and their
    /// persons.
    func part(
        _ withdrawal: inout ConsentWithdrawal, _ session: Session, _ people: [IdentityID: TokenHash],
        _ removal: WayInRemoval
    ) throws {
        let parting = try consentParting(of: session.accountID, removal)
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

    /// Notes that an identity has joined an account with the person's consent.
    func noteJoinedByConsent(_ identity: IdentityID) throws {
        try execute(.noteJoinedByConsent, [.id(identity), .flag(true)])
    }

    /// The identities that go if the consent to addresses is withdrawn, and those that can't go.
    ///
    /// An Apple Account that hides its address, and an identity that tells one, are in one account by consent alone. The
    /// oldest identity says which kind stays. Those of the other kind that joined by consent go, the newest first, as long
    /// as the person can sign in without them.
    func consentParting(of account: AccountID, _ removal: WayInRemoval) throws -> ConsentParting {
        let identities = try linkedIdentities(of: account)
        guard let first = identities.first else { return ConsentParting() }
        let joined = Set(try query(.joinedByConsent, [.id(account), .flag(true)]) { try $0.word(IdentityID.self) })
        var parting = ConsentParting()
        var left = identities
        for identity in identities.reversed()
        where identity.hidesAddress != first.hidesAddress && joined.contains(identity.id) {
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

    /// The persons of the identities that have joined the account of a session by consent.
    func peopleJoinedByConsent(inAccountOf session: SessionID) throws -> [IdentityID: TokenHash] {
        let found = try query(.peopleJoinedByConsent, [.id(session), .flag(true)]) { columns in
            try (
                columns.word(IdentityID.self),
                TokenHash.person(team: columns.word(), subject: Subject(columns.text()))
            )
        }
        return Dictionary(found) { first, _ in first }
    }
}

extension SQLStatement {
    fileprivate static let noteJoinedByConsent: Self = "UPDATE identities SET joined_by_consent = ?2 WHERE id = ?1"
    fileprivate static let joinedByConsent: Self = """
        SELECT id FROM identities WHERE account_id = ?1 AND joined_by_consent = ?2 AND removed_at IS NULL
        """
    fileprivate static let peopleJoinedByConsent: Self = """
        SELECT i.id, i.team, i.subject FROM sessions s JOIN identities i ON i.account_id = s.account_id
        WHERE s.id = ?1 AND i.joined_by_consent = ?2 AND i.removed_at IS NULL
        """
}
