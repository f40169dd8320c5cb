import AccountService
import AppleIDTypes

/// A session's row, joined with its account and with the identity that opened it.
struct SessionRow {
    var stored: StoredSession

    /// - Parameter columns: those of ``SQLStatement/storedSessionColumns``.
    init(_ columns: inout SQLColumns) throws {
        let session = try Session(&columns)
        let secretHash = try columns.hash()
        let generation = try columns.int64()
        let usedGeneration = try columns.int64()
        let endedAt = try columns.optionalTime()
        let endReason = try columns.optionalText().map(SessionEndReason.init(rawValue:))
        let disabledAt = try columns.optionalTime()
        let createdAt = try columns.time()
        let name = try columns.name()
        let facts = try IdentityFacts(&columns)
        let account = try Account(
            id: session.accountID, name: name, email: facts.email, emailVerified: facts.isVerified,
            isPrivateEmail: facts.isPrivate, createdAt: createdAt, appleAccess: facts.access,
            appleToken: columns.word())
        var ended: StoredSession.End?
        if let endedAt, let endReason {
            ended = StoredSession.End(at: endedAt, reason: endReason)
        } else if let disabledAt {
            ended = StoredSession.End(at: disabledAt, reason: .accountDisabled)
        }
        stored = StoredSession(
            session: session, account: account, secretHash: secretHash, generation: generation,
            usedGeneration: usedGeneration, ended: ended)
    }
}

extension Session {
    /// - Parameter columns: those of ``SQLStatement/sessionColumns``.
    init(_ columns: inout SQLColumns) throws {
        try self.init(
            id: columns.word(), accountID: columns.word(), identityID: columns.word(), kind: columns.word(),
            clientID: columns.word(), createdAt: columns.time(), authenticatedAt: columns.time(),
            lastUsedAt: columns.time(), expiresAt: columns.time(),
            // Null in what was written before there were such sessions.
            hasNonceProof: columns.optionalFlag() != true,
            deviceName: columns.optionalText().map(DeviceName.init(rawValue:)))
    }
}

extension SQLConnection {
    func sessionRow(_ id: SessionID) throws -> SessionRow? {
        try first(.session, [.id(id)]) { try SessionRow(&$0) }
    }
}

extension SQLStatement {
    /// Of sessions as `s`.
    static let sessionColumns: Self = """
        s.id, s.account_id, s.identity_id, s.kind, s.client_id, s.created_at, s.authenticated_at, s.last_used_at,
        s.expires_at, s.without_nonce, s.device_name
        """
    /// The columns of ``storedSessions`` that a ``SessionRow`` reads, in its order.
    static let storedSessionColumns: Self = """
        \(sessionColumns), s.secret_hash, s.generation, s.used_generation, s.ended_at, s.end_reason, a.disabled_at,
        a.created_at, \(nameColumns), \(identityFacts), \(appleTokenStatus)
        """
    static let storedSessions: Self = """
        sessions s JOIN accounts a ON a.id = s.account_id JOIN identities i ON i.id = s.identity_id
        """
    static let session: Self = "SELECT \(storedSessionColumns) FROM \(storedSessions) WHERE s.id = ?1"
}
