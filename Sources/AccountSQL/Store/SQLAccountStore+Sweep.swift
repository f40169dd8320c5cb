public import AccountService

extension SQLAccountStore {
    public func sweep(at: Timestamp, sessionsBefore: Timestamp, limit: Int) async throws -> Int {
        try await database.write { connection in
            let limit = Int64(max(0, limit))
            var removed = 0
            let names = try connection.execute(.sweepKeptNames, [.time(at), .int64(limit)])
            if names > 0 { connection.eraseRemoved() }
            removed += names
            for statement in Self.sweepsByTime {
                removed += try connection.execute(statement, [.time(at), .int64(limit)])
            }
            removed += try connection.execute(
                .sweepOutbox, [.time(at - OutboxEntry.memory), .int64(limit)])
            removed += try connection.execute(
                .sweepDeletions, [.time(at - Deletion.memory), .int64(limit)])
            removed += try connection.sweepHooks(before: at - HookDelivery.memory, limit: limit)
            return try removed + connection.execute(.sweepEndedSessions, [.time(sessionsBefore), .int64(limit)])
        }
    }

    private static var sweepsByTime: [SQLStatement] {
        [
            .sweepAttempts, .sweepAuthorizations, .sweepWrongCodes, .sweepNotifications,
        ]
    }
}

extension SQLStatement {
    fileprivate static let sweepAttempts: Self = """
        DELETE FROM attempts WHERE state_hash IN
            (SELECT state_hash FROM attempts WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)
        """
    fileprivate static let sweepKeptNames: Self = """
        DELETE FROM kept_names WHERE expires_at <= ?1 AND (team, subject) IN
            (SELECT team, subject FROM kept_names WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)
        """
    /// A refresh token of Apple's that no sign-in took over goes with its row: forgotten, not revoked, as when a newer
    /// one replaces it.
    fileprivate static let sweepAuthorizations: Self = """
        DELETE FROM authorizations WHERE id IN
            (SELECT id FROM authorizations WHERE kept_until <= ?1 ORDER BY kept_until LIMIT ?2)
        """
    fileprivate static let sweepWrongCodes: Self = """
        DELETE FROM wrong_codes WHERE expires_at <= ?1 AND (kind, network, window_start) IN
            (SELECT kind, network, window_start FROM wrong_codes WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)
        """
    fileprivate static let sweepNotifications: Self = """
        DELETE FROM apple_notifications WHERE id IN
            (SELECT id FROM apple_notifications WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)
        """
    fileprivate static let sweepOutbox: Self = """
        DELETE FROM outbox WHERE id IN
            (SELECT id FROM outbox WHERE finished_at <= ?1 ORDER BY finished_at LIMIT ?2)
        """
    fileprivate static let sweepDeletions: Self = """
        DELETE FROM deletions WHERE handle_hash IN
            (SELECT handle_hash FROM deletions WHERE finished_at <= ?1 ORDER BY finished_at LIMIT ?2)
        """
    fileprivate static let sweepEndedSessions: Self = """
        DELETE FROM sessions WHERE id IN
            (SELECT id FROM sessions WHERE ended_at < ?1 ORDER BY ended_at LIMIT ?2)
        """
}
