import AccountDatabase
import AppleID
import AppleIDTypes

/// The secret in the link of a mail with which a person says that a sign-in was not theirs. Only its hash is kept.
package struct NotMeLinkSecret: Hashable, Sendable, Redacted {
    /// 32 bytes in base64url.
    package let rawValue: String

    init(unchecked text: String) {
        rawValue = text
    }

    /// Takes the last part of a path that a browser sent; nil unless it has the form of a secret of ours.
    package init?(received text: some StringProtocol) {
        guard text.utf8.count == 43, Base64URL.decode(text) != nil else { return nil }
        rawValue = String(text)
    }

    var hash: TokenHash { TokenHash(of: rawValue) }
}

extension Sessions {
    /// The first live session among those that a link from a mail about a new device ends: the one that the mail tells of,
    /// or a later one on that device. It changes nothing, because programs that look at mail open links too.
    /// - Returns: nil for a link that is unknown or too old, and where no such session lives.
    package func session(ofLink secret: NotMeLinkSecret) async throws -> Session? {
        try await store.liveSession(ofLink: secret.hash, at: Timestamp(environment.now()))
    }

    /// Ends the session that a link names, and every later one on that device: the person says that the sign-in was not
    /// theirs, and whoever it was may have signed in again since. It needs no sign-in.
    /// - Returns: the sessions that this call has ended; nil for a link that is unknown or too old.
    package func end(ofLink secret: NotMeLinkSecret, from caller: Caller) async throws -> Set<SessionID>? {
        let now = Timestamp(environment.now())
        let ending = SessionEnding(at: now, reason: .notMe, by: .account(through: nil, from: caller))
        guard let ended = try await store.endSessions(ofLink: secret.hash, ending) else { return nil }
        for account in Set(ended.map(\.account)) { bell.notify(account) }
        return Set(ended.map(\.session))
    }
}

extension AccountTransactions {
    fileprivate func liveSession(ofLink link: TokenHash, at moment: Timestamp) async throws -> Session? {
        try await lookUp(.liveSessionOfLink, [.hash(link), .time(moment)]) { try Session(&$0) }.first
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
            return try connection.endSessions(.endSessionsOfLink, .hash(link), ending)
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
    fileprivate static let liveSessionOfLink: Self = """
        SELECT \(sessionColumns) FROM \(sessionsOfLink) JOIN accounts a ON a.id = s.account_id
        WHERE l.hash = ?1 AND l.expires_at > ?2 AND s.ended_at IS NULL AND s.expires_at > ?2 AND a.disabled_at IS NULL
        ORDER BY s.created_at, s.id LIMIT 1
        """
    fileprivate static let endSessionsOfLink: Self = """
        UPDATE sessions SET ended_at = ?2, end_reason = ?3
        WHERE ended_at IS NULL AND id IN (SELECT s.id FROM \(sessionsOfLink) WHERE l.hash = ?1)
        RETURNING id, account_id
        """
}
