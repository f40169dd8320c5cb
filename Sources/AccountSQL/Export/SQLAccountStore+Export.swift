public import AccountService
import AppleIDTypes

extension SQLAccountStore {
    public func exportAccount(_ id: AccountID) async throws -> AccountExport? {
        try await database.read { try $0.exportAccount(id) }
    }
}

extension SQLConnection {
    fileprivate func exportAccount(_ id: AccountID) throws -> AccountExport? {
        let account = try first(.exportedAccount, [.id(id)]) { try (createdAt: $0.time(), name: $0.name()) }
        guard let account else { return nil }
        var export = AccountExport(
            id: id, name: account.name, createdAt: account.createdAt, identities: [],
            sessions: try exportedSessions(of: id), keptNames: [], outbox: [])
        for identity in try identities(of: id) {
            export.identities.append(
                AccountExport.HeldIdentity(identity: identity, appleTokens: try appleTokens(of: identity.id)))
            if let kept = try keptName(team: identity.team, subject: identity.subject) { export.keptNames.append(kept) }
            let person = OutboxEntry.personHash(team: identity.team, subject: identity.subject)
            export.outbox += try query(.exportedOutbox, [.hash(person)]) { try $0.outboxEntry() }
        }
        return export
    }

    private func exportedSessions(of account: AccountID) throws -> [AccountExport.HeldSession] {
        try query(.exportedSessions, [.id(account), .int64(Int64(AccountExport.maximumSessions))]) { columns in
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
        SELECT created_at, \(nameColumns) FROM accounts WHERE id = ?1
        """
    fileprivate static let exportedSessions: Self = """
        SELECT \(sessionColumns), s.ended_at, s.end_reason FROM sessions s
        WHERE s.account_id = ?1 ORDER BY s.id DESC LIMIT ?2
        """
    fileprivate static let exportedOutbox: Self = """
        SELECT \(outboxColumns) FROM outbox WHERE person_hash = ?1 AND finished_at IS NULL ORDER BY created_at, id
        """
}
