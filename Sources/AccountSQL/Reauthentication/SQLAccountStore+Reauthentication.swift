public import AccountService
import AppleIDTypes

extension SQLAccountStore {
    public func reauthenticate(_ record: Reauthentication) async throws -> Session {
        try await database.write { try $0.reauthenticate(record) }
    }
}

extension SQLConnection {
    fileprivate func reauthenticate(_ record: Reauthentication) throws -> Session {
        let person = record.person
        let personHash = OutboxEntry.personHash(team: person.team, subject: person.subject)
        try lock(person: personHash)
        try spend(record.spent, at: record.at)
        if let code = record.ownCode { try spendOwnCode(code, at: record.at) }
        let former = try lockedSession(record.session, at: record.at).session
        let isSame = try returnsRow(.sameIdentity, [.id(former.identityID), .text(person.team), .text(person.subject)])
        guard isSame else { throw AccountError(.credentialMismatch, "The credential is another person's.") }
        let proof = AppleProof(of: person, token: record.appleToken, at: record.at)
        guard try authorize(former.identityID, of: former.accountID, person, proof, at: record.at) else {
            throw AccountError(.sessionEnded, "The identity of the session is gone.")
        }
        try withdrawRevocations(
            of: personHash, for: former.identityID, proof, newToken: record.appleToken, at: record.at)
        if let token = record.appleToken { try keepAppleToken(token, of: former.identityID) }
        if var code = record.waitingCode {
            code.identityID = former.identityID
            try insertOutbox(code)
        }
        let actor = AuditActor.account(through: former.id, from: record.caller)
        guard let successor = record.successor else {
            try append(
                AuditEntry(
                    .reauthenticated, at: record.at, by: actor, account: former.accountID, subject: former.id.rawValue))
            try execute(.renewSession, [.id(former.id), .time(record.at), .flag(false)])
            var renewed = former
            renewed.authenticatedAt = record.at
            renewed.hasNonceProof = true
            return renewed
        }
        try replaceSessions(
            former.id, ofBrowser: successor.browserHash, SessionEnding(at: record.at, reason: .replaced, by: actor),
            by: former.accountID)
        let session = Session(
            id: successor.id, accountID: former.accountID, identityID: former.identityID, kind: successor.kind,
            clientID: successor.clientID, createdAt: record.at, authenticatedAt: record.at, lastUsedAt: record.at,
            expiresAt: successor.expiresAt, deviceName: successor.deviceName)
        try insertSession(session, secretHash: successor.secretHash, browserHash: successor.browserHash)
        try append(
            AuditEntry(
                .reauthenticated, at: record.at, by: actor, account: session.accountID, subject: session.id.rawValue))
        return session
    }

    /// A live session, after its account is locked: what is decided about it here holds.
    ///
    /// Throws `AccountError` with the code `sessionEnded`.
    func lockedSession(_ id: SessionID, at: Timestamp) throws -> StoredSession {
        try execute(.lockAccountOfSession, [.id(id)])
        guard let stored = try sessionRow(id)?.stored, stored.ended == nil, at < stored.session.expiresAt else {
            throw AccountError(.sessionEnded, "The session has ended.")
        }
        return stored
    }
}

extension SQLStatement {
    fileprivate static let lockAccountOfSession: Self = """
        UPDATE accounts SET revision = revision + 1 WHERE id IN (SELECT account_id FROM sessions WHERE id = ?1)
        """
    fileprivate static let sameIdentity: Self = """
        SELECT id FROM identities WHERE id = ?1 AND provider = 'apple' AND team = ?2 AND subject = ?3
        """
    fileprivate static let renewSession: Self = """
        UPDATE sessions SET authenticated_at = ?2, without_nonce = ?3 WHERE id = ?1
        """
}
