public import AccountService

extension SQLAccountStore {
    public func accountNews(
        of session: Session, after revision: Int64?, at: Timestamp, limit: Int
    ) async throws -> AccountNews {
        try await database.read { connection in
            let end = try connection.first(.endOfSession, [.id(session.id)]) { columns in
                try (
                    expiresAt: columns.time(), endedAt: columns.optionalTime(), disabledAt: columns.optionalTime()
                )
            }
            let now = try connection.first(.accountRevision, [.id(session.accountID)]) { try $0.int64() }
            let isOver = end.map { $0.endedAt != nil || $0.disabledAt != nil || $0.expiresAt <= at } ?? true
            var events: [AccountEvent] = []
            if let revision {
                events = try connection.events(
                    of: session.accountID, after: revision,
                    until: end?.endedAt ?? Timestamp(microseconds: .max), limit: limit)
            }
            return AccountNews(events: events, revision: now ?? revision ?? 0, isOver: isOver)
        }
    }
}

extension SQLStatement {
    fileprivate static let endOfSession: Self = """
        SELECT s.expires_at, s.ended_at, a.disabled_at
        FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE s.id = ?1
        """
    fileprivate static let accountRevision: Self = "SELECT revision FROM accounts WHERE id = ?1"
}
