import AccountDatabase
import AppleID
import AppleIDTypes

/// The sign-in on a new device that a link from a mail is about.
package struct NewDeviceSignIn: Hashable, Sendable {
    /// Where the device stands.
    package enum State: Hashable, Sendable {
        /// The session on the device is live.
        case live
        /// The session on the device has ended. The person may still say that it was not them.
        case ended
        /// The person has said that it was not them, and nobody has signed in there since.
        case disowned
    }

    /// The session that the mail tells of, or if that has ended, a later one on the device that lives.
    package var session: Session
    package var state: State

    package init(session: Session, state: State) {
        self.session = session
        self.state = state
    }
}

extension Sessions {
    /// Returns the sign-in that a link from a mail about a new device is about. It changes nothing, because programs that
    /// look at mail open links too.
    /// - Returns: nil for a link that is unknown or too old.
    package func signIn(ofLink secret: LinkSecret) async throws -> NewDeviceSignIn? {
        try await store.signIn(ofLink: secret.hash, at: Timestamp(environment.now()))
    }

    /// Ends the session that a link names, and every later one on that device: the person says that the sign-in was not
    /// theirs, and whoever it was may have signed in again since. It needs no sign-in.
    ///
    /// The device is unknown to the account from then on, also where its sessions had ended before: the next sign-in there
    /// is told by mail again.
    /// - Returns: the sessions that this call has ended; nil for a link that is unknown or too old.
    package func end(ofLink secret: LinkSecret, from caller: Caller) async throws -> Set<SessionID>? {
        let now = Timestamp(environment.now())
        let ending = SessionEnding(at: now, reason: .notMe, by: .account(through: nil, from: caller))
        guard let ended = try await store.endSessions(ofLink: secret.hash, ending) else { return nil }
        for account in Set(ended.map(\.account)) { bell.notify(account) }
        return Set(ended.map(\.session))
    }
}

extension AccountTransactions {
    fileprivate func signIn(ofLink link: TokenHash, at moment: Timestamp) async throws -> NewDeviceSignIn? {
        try await lookUp(.signInOfLink, [.hash(link), .time(moment)]) { columns in
            let session = try Session(&columns)
            let (isLive, isDisowned) = try (columns.flag(), columns.flag())
            return NewDeviceSignIn(session: session, state: isLive ? .live : isDisowned ? .disowned : .ended)
        }.first
    }

    /// - Returns: the sessions that this call has ended; nil without such a link.
    fileprivate func endSessions(ofLink link: TokenHash, _ ending: SessionEnding) async throws -> [EndedSession]? {
        try await write { connection in
            let account = try connection.first(.accountOfLink, [.hash(link), .time(ending.at)]) {
                try $0.word(AccountID.self)
            }
            guard let account else { return nil }
            // A sign-in that is under way ends or waits first, so none is missed.
            try connection.lock(account: account)
            let ended = try connection.endSessions(.endSessionsOfLink, .hash(link), ending)
            try connection.disownEndedSessions(.disownSessionsOfLink, .hash(link), ending, of: account)
            return ended
        }
    }
}

extension SQLConnection {
    /// Writes another end reason to sessions that had ended before, so that they make their device no known one. For a
    /// transaction that has locked the account.
    /// - Parameter statement: has the parameters key and reason, then `more`, and returns the ids.
    func disownEndedSessions(
        _ statement: SQLStatement, _ key: SQLValue, _ ending: SessionEnding, _ more: [SQLValue] = [],
        of account: AccountID
    ) throws {
        let disowned = try query(statement, [key, .text(ending.reason)] + more) { try $0.word(SessionID.self) }
        for session in disowned {
            try append(
                AuditEntry(
                    .sessionDisowned, at: ending.at, by: ending.actor, account: account, subject: session.rawValue))
        }
    }
}

extension SQLStatement {
    fileprivate static let accountOfLink: Self = """
        SELECT account_id FROM not_me_links WHERE hash = ?1 AND expires_at > ?2
        """
    /// A link, its session `o`, and with it each later session `s` on the device, by the name that it had or has now.
    private static let sessionsOfLink: Self = """
        not_me_links l JOIN sessions o ON o.id = l.session_id
            JOIN sessions s ON s.account_id = l.account_id AND s.kind = o.kind AND s.client_id = o.client_id
                AND s.created_at >= o.created_at
                AND (s.id = o.id OR coalesce(s.device_name, '') IN (coalesce(o.device_name, ''),
                    coalesce(l.device_name, '')))
        """
    private static let isLive: Self = "s.ended_at IS NULL AND s.expires_at > ?2 AND a.disabled_at IS NULL"
    fileprivate static let signInOfLink: Self = """
        SELECT \(sessionColumns), \(isLive), \(isDisowned)
        FROM \(sessionsOfLink) JOIN accounts a ON a.id = s.account_id
        WHERE l.hash = ?1 AND l.expires_at > ?2
        ORDER BY CASE WHEN \(isLive) THEN 0 WHEN \(isDisowned) THEN 2 ELSE 1 END, s.created_at, s.id LIMIT 1
        """
    fileprivate static let endSessionsOfLink: Self = """
        UPDATE sessions SET ended_at = ?2, end_reason = ?3
        WHERE ended_at IS NULL AND id IN (SELECT s.id FROM \(sessionsOfLink) WHERE l.hash = ?1)
        RETURNING id, account_id
        """
    fileprivate static let disownSessionsOfLink: Self = """
        UPDATE sessions SET end_reason = ?2
        WHERE ended_at IS NOT NULL
            AND id IN (SELECT s.id FROM \(sessionsOfLink) WHERE l.hash = ?1 AND NOT (\(isDisowned)))
        RETURNING id
        """
}
