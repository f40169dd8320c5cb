import AccountDatabase
import AppleID
import AppleIDTypes

/// All that a credential writes which could not be linked, because it opens another account.
struct ConflictRecord: Sendable {
    var at: Timestamp
    /// The live session that tried the link.
    var session: SessionID
    var proven: ProvenCredential
    var handleHash: TokenHash
    /// The browser that alone can use the handle; nil for an app.
    var browserHash: TokenHash?
    var expiresAt: Timestamp
    var caller: Caller
}

/// A credential that opens another account than the session's that presented it, as the database keeps it.
struct StoredConflict: Sendable {
    var identity: IdentityID
    /// The client that the credential was issued to.
    var client: ClientID
    /// The person, by what the identity is known by. The stored address stays.
    var person: SignInRecord.Person
    /// When the person proved who they are.
    var provenAt: Timestamp
}

extension AccountTransactions {
    /// Uses a credential that opens another account than the session's, and keeps a handle for that account. What Apple gave
    /// is the other account's. An earlier handle of the session goes.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/alreadyUsed``, ``AccountError/Code/tokenTooOld`` and
    /// ``AccountError/Code/sessionEnded``.
    /// - Returns: false, and nothing is written, if the identity opens no other account any more. Then it can be linked.
    func keepConflict(_ record: ConflictRecord) async throws -> Bool {
        try await write { connection in
            let (person, proven) = (record.proven.person, record.proven)
            try connection.lock(person: person.personHash)
            guard let known = try connection.identity(of: person) else { return false }
            let ended = AccountError(.sessionEnded, "The session has ended.")
            guard let asking = try connection.sessionRow(record.session)?.stored.account.id else { throw ended }
            guard asking != known.account else { return false }
            try connection.markUsed(proven.used, at: record.at)
            if let code = proven.ownCode { try connection.markOwnCodeUsed(code, at: record.at) }
            try connection.lock(accounts: [asking, known.account])
            // A deletion of the account that asks may have come in between.
            guard let stored = try connection.sessionRow(record.session)?.stored, stored.ended == nil,
                record.at < stored.session.expiresAt
            else { throw ended }
            try connection.execute(.removeConflicts, [.id(record.session)])
            try connection.execute(
                .insertConflict,
                [
                    .hash(record.handleHash), .id(record.session), .id(known.id), .text(proven.client),
                    .time(person.authorizedAt ?? proven.at), .time(proven.authenticatedAt),
                    .time(record.expiresAt), record.browserHash.map(SQLValue.hash) ?? .null,
                ])
            try connection.renewIdentity(known.id, of: proven, in: known.account, at: record.at)
            try connection.noteConflict(of: known.id, of: known.account, asking, record)
            return true
        }
    }

    /// The credential that a handle of a session stands for; nil where there is none.
    /// - Parameter browser: the browser that presents the handle; nil for an app.
    func conflict(
        _ hash: TokenHash, of session: SessionID, browser: TokenHash?, at moment: Timestamp
    ) async throws -> StoredConflict? {
        let found = try await lookUp(.conflict, [.hash(hash), .id(session), .time(moment)]) { columns in
            let (identity, client) = try (columns.word(IdentityID.self), columns.word(ClientID.self))
            let provider = try columns.word(IdentityProvider.self)
            var person = try SignInRecord.Person(
                team: columns.word(), subject: Subject(columns.text()), email: nil, emailVerified: false,
                isPrivateEmail: false, realUserStatus: nil)
            person.provider = provider
            person.authorizedAt = try columns.time()
            let conflict = try StoredConflict(
                identity: identity, client: client, person: person, provenAt: columns.time())
            return (conflict, browser: try columns.optionalHash())
        }.first
        guard let found, found.browser == browser else { return nil }
        return found.0
    }

    /// Signs a person in with a handle, which is used then. The record's former session is the one that has the handle.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/handleInvalid`` for a handle that is used or too old, or whose
    /// identity is gone, ``AccountError/Code/sessionEnded``, and like ``signIn(_:)``.
    func signIn(
        _ record: SignInRecord, with handle: TokenHash, for identity: IdentityID
    ) async throws -> SignInOutcome {
        let keys = record.keys
        return try await write { connection in
            try connection.lock(person: keys.hash)
            guard let session = record.formerSession, let former = try connection.sessionRow(session)?.stored,
                let known = try connection.identity(of: record.person), known.id == identity
            else { throw AccountError.conflictHandleInvalid }
            // A deletion of either account removes the handle, and holds its account before.
            try connection.lock(accounts: [former.account.id, known.account])
            guard try connection.useConflict(handle, of: session, at: record.at) else {
                throw AccountError.conflictHandleInvalid
            }
            guard try connection.sessionRow(session)?.stored.ended == nil else {
                throw AccountError(.sessionEnded, "The session has ended.")
            }
            return try connection.signIn(record, keys)
        }
    }
}

extension SQLConnection {
    /// Uses a handle of a session.
    /// - Returns: false for a handle that is unknown, used, too old or of another session.
    func useConflict(_ handle: TokenHash, of session: SessionID, at moment: Timestamp) throws -> Bool {
        try execute(.useConflict, [.hash(handle), .id(session), .time(moment)]) > 0
    }

    /// Removes the handles that sign in to an account. For a transaction that has locked the account.
    func removeConflicts(opening account: AccountID) throws {
        try execute(.removeConflictsOfAccount, [.id(account)])
    }

    /// Removes the handles that an identity has proven. For a transaction that has locked the identity's account.
    func removeConflicts(of identity: IdentityID) throws {
        try execute(.removeConflictsOfIdentity, [.id(identity)])
    }

    /// Notes in the audit of both accounts that somebody presented a credential which opens the other one. The other
    /// account's entry doesn't tell where the request came from.
    fileprivate func noteConflict(
        of identity: IdentityID, of account: AccountID, _ asking: AccountID, _ record: ConflictRecord
    ) throws {
        try append(
            AuditEntry(
                .credentialConflict, at: record.at, by: .account(through: record.session, from: record.caller),
                account: asking, subject: identity.rawValue))
        try append(
            AuditEntry(
                .credentialConflict, at: record.at, by: .service(), account: account, subject: identity.rawValue))
    }
}

extension SQLStatement {
    fileprivate static let removeConflictsOfAccount: Self = """
        DELETE FROM conflict_handles WHERE identity_id IN (SELECT id FROM identities WHERE account_id = ?1)
        """
    fileprivate static let removeConflictsOfIdentity: Self = "DELETE FROM conflict_handles WHERE identity_id = ?1"
    fileprivate static let removeConflicts: Self = "DELETE FROM conflict_handles WHERE session_id = ?1"
    fileprivate static let insertConflict: Self = """
        INSERT INTO conflict_handles (hash, session_id, identity_id, client_id, authorized_at, proven_at, expires_at,
            browser_hash)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """
    fileprivate static let conflict: Self = """
        SELECT i.id, c.client_id, i.provider, i.team, i.subject, c.authorized_at, c.proven_at, c.browser_hash
        FROM conflict_handles c JOIN identities i ON i.id = c.identity_id
        WHERE c.hash = ?1 AND c.session_id = ?2 AND c.expires_at > ?3 AND i.removed_at IS NULL
        """
    fileprivate static let useConflict: Self = """
        DELETE FROM conflict_handles WHERE hash = ?1 AND session_id = ?2 AND expires_at > ?3
        """
}
