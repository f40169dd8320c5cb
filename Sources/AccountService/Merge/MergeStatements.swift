import AccountDatabase
import AppleIDTypes

/// The two accounts of a conflict.
struct MergeCandidate: Hashable, Sendable {
    /// The identity that could not be linked.
    var identity: IdentityID
    var from: AccountID
    var into: AccountID
    var expiresAt: Timestamp
}

extension SQLConnection {
    /// The accounts of a conflict; nil for a handle that is unknown, used, too old or of another session or browser, or
    /// whose identity opens the session's account by now.
    func mergeCandidate(
        _ handle: TokenHash, of session: SessionID, browser: TokenHash?, at moment: Timestamp
    ) throws -> MergeCandidate? {
        let found = try first(.mergeCandidate, [.hash(handle), .id(session), .time(moment)]) { columns in
            let candidate = try MergeCandidate(
                identity: columns.word(), from: columns.word(), into: columns.word(), expiresAt: columns.time())
            return try (candidate, browser: columns.optionalHash())
        }
        guard let found, found.browser == browser else { return nil }
        return found.0
    }

    func people(of found: MergeCandidate) throws -> [TokenHash] {
        try (identities(of: found.from) + identities(of: found.into)).map(\.personHash)
    }

    func isOpened(by identity: IdentityID, _ account: AccountID) throws -> Bool {
        try identities(of: account).contains { $0.id == identity }
    }

    func mergePlan(
        _ found: MergeCandidate, currentText: String, at moment: Timestamp
    ) throws -> MergePlan {
        guard let from = try mergeFacts(of: found.from, currentText: currentText, at: moment),
            let into = try mergeFacts(of: found.into, currentText: currentText, at: moment)
        else { throw AccountError.conflictHandleInvalid }
        guard !from.isDisabled, !into.isDisabled else {
            throw AccountError(.accountDisabled, "the operator has disabled one of the accounts")
        }
        return MergeRules.plan(from: from, into: into, currentText: currentText, expiresAt: found.expiresAt)
    }

    private func mergeFacts(
        of account: AccountID, currentText: String, at moment: Timestamp
    ) throws -> MergeFacts? {
        let sessions = try first(.countLiveSessions, [.id(account), .time(moment)]) { try $0.int64() } ?? 0
        let consents = try first(.countHoldingConsents, [.id(account)]) { try $0.int64() } ?? 0
        var facts = try first(.mergeFacts, [.id(account)]) { columns in
            let disabledAt = try columns.optionalTime()
            let typedAt = try columns.optionalTime()
            return try MergeFacts(
                id: account, identities: [], name: columns.name(), nameTypedAt: typedAt,
                contact: ContactFacts(&columns), isDisabled: disabledAt != nil, sessions: Int(sessions),
                consents: Int(consents), agreed: [])
        }
        facts?.identities = try linkedIdentities(of: account)
        facts?.hasContactChange = try returnsRow(.liveContactChange, [.id(account), .time(moment)])
        facts?.agreed = try purposesAgreed(of: account, toText: currentText)
        facts?.linkConsents = try holdingLinkConsents(of: account)
        return facts
    }
}

extension SQLStatement {
    static let mergeCandidate: Self = """
        SELECT i.id, i.account_id, s.account_id, c.expires_at, c.browser_hash
        FROM conflict_handles c JOIN identities i ON i.id = c.identity_id JOIN sessions s ON s.id = c.session_id
        WHERE c.hash = ?1 AND c.session_id = ?2 AND c.expires_at > ?3 AND i.removed_at IS NULL
            AND i.account_id <> s.account_id
        """
    static let mergeFacts: Self = """
        SELECT disabled_at, name_typed_at, \(nameColumns), \(contactColumns) FROM accounts WHERE id = ?1
        """
    static let countLiveSessions: Self = """
        SELECT count(*) FROM sessions WHERE account_id = ?1 AND ended_at IS NULL AND expires_at > ?2
        """
    static let countHoldingConsents: Self = """
        SELECT count(*) FROM consents WHERE account_id = ?1 AND withdrawn_at IS NULL
        """
    static let moveName: Self = """
        UPDATE accounts SET (\(nameColumns), name_typed_at) =
            (SELECT \(nameColumns), name_typed_at FROM accounts WHERE id = ?1)
        WHERE id = ?2
        """
    static let moveContact: Self = """
        UPDATE accounts SET (contact_email, contact_form, contact_email_verified_at) =
            (SELECT contact_email, contact_form, contact_email_verified_at FROM accounts WHERE id = ?1)
        WHERE id = ?2
        """
    static let liveContactChange: Self = """
        SELECT hash FROM contact_changes WHERE account_id = ?1 AND expires_at > ?2 LIMIT 1
        """
    static let moveContactChanges: Self = """
        UPDATE contact_changes SET account_id = ?2 WHERE account_id = ?1
        """
    /// A mail whose link no longer works is not sent.
    static let withdrawTakeBackMails: Self = """
        DELETE FROM mails WHERE account_id = ?1 AND kind = 'address_changed'
        """
    /// Each session of the merged account has an end then. One that has expired by another server's clock alone has
    /// none yet. A session that Apple's word ended may ask for the events of its account, which are not those of the
    /// remaining one.
    static let moveSessionsOfMerged: Self = """
        UPDATE sessions SET account_id = ?2, ended_at = coalesce(ended_at, ?3),
            end_reason = CASE
                WHEN end_reason IS NULL THEN 'merged'
                WHEN end_reason IN ('apple_consent_revoked', 'apple_account_deleted', 'apple_grant_dead') THEN 'merged'
                ELSE end_reason END
        WHERE account_id = ?1
        """
    /// An identity's `created_at` is when it was added to its account, and the account's mails go to the first one's
    /// address. So those of the merged account come after those of the remaining one, whatever the servers' clocks say.
    static let moveIdentitiesOfMerged: Self = """
        UPDATE identities SET account_id = ?2,
            created_at = coalesce(
                (SELECT max(i.created_at) + 1 FROM identities i WHERE i.account_id = ?2 AND i.created_at >= ?3), ?3)
        WHERE account_id = ?1
        """
    static let movePhone: Self = """
        UPDATE accounts SET phone = (SELECT phone FROM accounts WHERE id = ?1) WHERE id = ?2
        """

    /// The links and handles of an account that is merged (`?1`). Its person can ask for others.
    static let forgetOfMerged: [Self] = [
        "DELETE FROM not_me_links WHERE account_id = ?1",
        "DELETE FROM email_links WHERE account_id = ?1",
        "DELETE FROM contact_changes WHERE account_id = ?1",
        """
        DELETE FROM mails WHERE account_id = ?1
            AND kind IN ('verify_address', 'sign_in_link', 'password_reset', 'link_address', 'new_device')
        """,
        "DELETE FROM account_pairs WHERE first_id = ?1 OR second_id = ?1",
        """
        DELETE FROM conflict_handles WHERE session_id IN (SELECT id FROM sessions WHERE account_id = ?1)
            OR identity_id IN (SELECT id FROM identities WHERE account_id = ?1)
        """,
    ]

    /// Everything that goes over from an account (`?1`) to the one that remains (`?2`). If you add a table with rows of
    /// accounts, add its statement here, or above. Apple's tokens, passwords and the outbox belong to identities and
    /// people, which stay. Events stay with their account, whose numbers they have, and so do notices for hooks. A row
    /// of a transfer belongs to its identity, or names the account that a file has named.
    static let moveOfMerged: [Self] = [
        """
        DELETE FROM announced WHERE account_id = ?1
            AND announcement IN (SELECT a.announcement FROM announced a WHERE a.account_id = ?2)
        """,
        "UPDATE announced SET account_id = ?2 WHERE account_id = ?1",
        "UPDATE consents SET account_id = ?2 WHERE account_id = ?1",
        "UPDATE link_requests SET account_id = ?2 WHERE account_id = ?1",
        "UPDATE imported_people SET account_id = ?2 WHERE account_id = ?1",
        "UPDATE apple_notifications SET account_id = ?2 WHERE account_id = ?1",
        "UPDATE mails SET account_id = ?2 WHERE account_id = ?1",
        "UPDATE mails_sent SET account_id = ?2 WHERE account_id = ?1",
        // The history is the person's, who may export it, and whose deletion empties it.
        "UPDATE audit SET account_id = ?2 WHERE account_id = ?1",
        "UPDATE merged_accounts SET into_id = ?2 WHERE into_id = ?1",
    ]
    static let noteMerge: Self = """
        INSERT INTO merged_accounts (from_id, into_id, merged_at, handle_hash) VALUES (?1, ?2, ?3, ?4)
        """
    static let removeMergedAccount: Self = "DELETE FROM accounts WHERE id = ?1"
}
