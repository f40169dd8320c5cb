import AccountDatabase
import AppleIDTypes

/// All that the removal of an identity from an account writes, decided beforehand.
struct UnlinkRecord: Sendable {
    /// The live session that asks. Its account loses the identity.
    var session: SessionID
    var identity: IdentityID
    var removal: WayInRemoval
}

extension AccountTransactions {
    /// Removes an identity from the account of a session, with what it opened and what Apple gave for it.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/sessionEnded`` unless the session lives,
    /// ``AccountError/Code/identityUnknown`` and ``AccountError/Code/lastWayIn``.
    func unlink(_ record: UnlinkRecord) async throws -> Unlinked {
        let removal = record.removal
        return try await lockingPeople { connection in
            let person = try connection.person(of: record.identity, inAccountOf: record.session)
            if let person { try connection.lock(person: person) }
            let session = try connection.lockedSession(record.session, at: removal.at).session
            // A transfer may have given the identity another person before the account was locked.
            guard try connection.person(of: record.identity, inAccountOf: record.session) == person else {
                throw PersonNotLocked()
            }
            let identities = try connection.linkedIdentities(of: session.accountID)
            guard let person, let removed = identities.first(where: { $0.id == record.identity }) else {
                throw AccountError.identityUnknown
            }
            let left = identities.filter { $0.id != removed.id }
            guard removal.isWayIn(left) else { throw AccountError.lastWayIn }
            let needsManualRemoval = try connection.removeWayIn(
                removed, person, of: session.accountID, removal, mail: removal.mailIDs.first)
            return Unlinked(
                identities: left, endsSession: session.identityID == removed.id,
                needsManualRemoval: needsManualRemoval)
        }
    }
}

extension SQLConnection {
    /// The person of an identity of the account that a session opens; nil if the account has no such identity.
    fileprivate func person(of identity: IdentityID, inAccountOf session: SessionID) throws -> TokenHash? {
        try first(.personOfAccount, [.id(identity), .id(session)]) { columns in
            try TokenHash.person(team: columns.word(), subject: Subject(columns.text()))
        }
    }
}

extension SQLStatement {
    /// The person of an identity of the account that a session opens.
    fileprivate static let personOfAccount: Self = """
        SELECT i.team, i.subject FROM sessions s JOIN identities i ON i.account_id = s.account_id
        WHERE i.id = ?1 AND s.id = ?2 AND i.removed_at IS NULL
        """
}
