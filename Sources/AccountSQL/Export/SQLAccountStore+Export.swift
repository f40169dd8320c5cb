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
            sessions: [], keptNames: [], outbox: [])
        export.sessions = try export.newest(.sessions, of: exportedSessions(of: id))
        export.events = try export.newest(.events, of: exportedEvents(of: id))
        var notifications = try exportedNotifications(.notificationsOfAccount, [.id(id)])
        for identity in try identities(of: id) {
            export.identities.append(
                AccountExport.HeldIdentity(identity: identity, appleTokens: try appleTokens(of: identity.id)))
            if let kept = try keptName(team: identity.team, subject: identity.subject) { export.keptNames.append(kept) }
            let person = OutboxEntry.personHash(team: identity.team, subject: identity.subject)
            export.outbox += try query(.exportedOutbox, [.hash(person)]) { try $0.outboxEntry() }
            // Those that came before the account was there.
            notifications += try exportedNotifications(
                .earlyNotifications,
                [
                    .text(identity.team), .text(identity.subject),
                    .text(AppleNotification.hashedSubject(identity.subject, team: identity.team)),
                ])
        }
        export.notifications = export.newest(
            .notifications, of: notifications.sorted { $0.receivedAt > $1.receivedAt })
        return export
    }

    private static var rows: SQLValue { .int64(Int64(AccountExport.longestList + 1)) }

    private func exportedEvents(of account: AccountID) throws -> [AccountEvent] {
        try query(.exportedEvents, [.id(account), Self.rows]) { try AccountEvent(&$0) }
    }

    private func exportedNotifications(
        _ statement: SQLStatement, _ values: [SQLValue]
    ) throws -> [AccountExport.HeldNotification] {
        try query(statement, values + [Self.rows]) { columns in
            try AccountExport.HeldNotification(
                type: EventType(columns.text()), audience: columns.word(), outcome: columns.word(),
                happenedAt: columns.time(), receivedAt: columns.time())
        }
    }

    private func exportedSessions(of account: AccountID) throws -> [AccountExport.HeldSession] {
        try query(.exportedSessions, [.id(account), Self.rows]) { columns in
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
    fileprivate static let exportedEvents: Self = """
        SELECT \(eventColumns) FROM account_events WHERE account_id = ?1 ORDER BY revision DESC LIMIT ?2
        """
    private static let notificationColumns: Self = "type, audience, outcome, happened_at, received_at"
    fileprivate static let notificationsOfAccount: Self = """
        SELECT \(notificationColumns) FROM apple_notifications WHERE account_id = ?1 ORDER BY received_at DESC LIMIT ?2
        """
    fileprivate static let earlyNotifications: Self = """
        SELECT \(notificationColumns) FROM apple_notifications
        WHERE team = ?1 AND subject IN (?2, ?3) AND account_id IS NULL ORDER BY received_at DESC LIMIT ?4
        """
    fileprivate static let exportedOutbox: Self = """
        SELECT \(outboxColumns) FROM outbox WHERE person_hash = ?1 AND finished_at IS NULL ORDER BY created_at, id
        """
}
