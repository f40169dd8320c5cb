import AccountDatabase
import AppleIDTypes
import Foundation

/// The input of a merge transaction.
struct MergeRecord: Sendable {
    var at: Timestamp
    /// The live session that asks. Its account remains.
    var session: SessionID
    /// The handle of the conflict with the account that is merged.
    var handle: TokenHash
    /// The browser that presents the handle; nil for an app.
    var browser: TokenHash?
    /// The plan that the person has seen.
    var confirmation: MergeConfirmation
    var consent: ConsentGiven?
    /// The version of the consent text that people are asked to agree to.
    var currentText: String
    /// One for each purpose.
    var consents: [ConsentID]
    /// One for each account's address.
    var mailIDs: [MailID]
    var mail: MailWriter
    var caller: Caller
}

extension AccountTransactions {
    /// The effect of a merge with the account of a conflict, as far as can be said before. The transaction decides.
    ///
    /// Throws ``AccountError/Code/handleInvalid`` and ``AccountError/Code/accountDisabled``.
    func mergePlan(
        _ handle: TokenHash, of session: SessionID, browser: TokenHash?, currentText: String, at moment: Timestamp
    ) async throws -> MergePlan {
        try await read { connection in
            let found = try connection.mergeCandidate(handle, of: session, browser: browser, at: moment)
            guard let found else { throw AccountError.conflictHandleInvalid }
            return try connection.mergePlan(found, currentText: currentText, at: moment)
        }
    }

    /// Merges the account of a conflict into the account of the session that has its handle. The handle is used then. The
    /// same call again tells that the accounts are merged.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/handleInvalid``, ``AccountError/Code/sessionEnded`` unless the
    /// session lives, ``AccountError/Code/accountDisabled``, ``AccountError/Code/mergeChanged`` if the person has seen another
    /// plan, and ``AccountError/Code/consentRequired``.
    func merge(_ record: MergeRecord) async throws -> MergedAccounts {
        try await lockingPeople { try MergeTransaction(record: record, connection: $0).run() }
    }
}

/// The transaction of one merge, step by step.
private struct MergeTransaction {
    let record: MergeRecord
    let connection: any SQLConnection

    private var at: Timestamp { record.at }
    private var actor: AuditActor { .account(through: record.session, from: record.caller) }

    func run() throws -> MergedAccounts {
        guard let (plan, session) = try lockedPlan() else { return try mergedBefore() }
        guard plan.confirmation == record.confirmation else {
            throw AccountError(.mergeChanged, "the accounts are not as they were when the person saw the plan")
        }
        try takeConsent(plan, in: session)
        try withdrawReplacedConsents(plan)
        let recipients = try [plan.into, plan.from].compactMap { try connection.mailRecipient(of: $0) }
        try moveProfile(plan)
        for identity in plan.losses.identities {
            try connection.removeEmailIdentity(identity.id, forms: record.mail.forms, at: at)
            try connection.append(
                AuditEntry(
                    .identityUnlinked, at: at, by: actor, account: plan.from, subject: identity.id.rawValue,
                    detail: identity.provider))
            try connection.appendEvent(.unlinked, of: plan.from, at: at, about: identity.id.rawValue)
        }
        try connection.endSessions(of: plan.from, SessionEnding(at: at, reason: .merged, by: actor))
        try moveRows(plan)
        try tell(plan)
        try connection.execute(.removeMergedAccount, [.id(plan.from)])
        connection.eraseRemoved()
        for (id, recipient) in zip(record.mailIDs, recipients.withoutRepeats) {
            try write(to: recipient, plan, id)
        }
        return MergedAccounts(from: plan.from, account: try connection.account(of: record.session), mergedAt: at)
    }

    /// Locks the people and the accounts, and uses the handle.
    /// - Returns: nil if the handle is gone.
    private func lockedPlan() throws -> (MergePlan, Session)? {
        let candidate = try connection.mergeCandidate(
            record.handle, of: record.session, browser: record.browser, at: at)
        guard let found = candidate else { return nil }
        let people = try connection.people(of: found)
        try connection.lock(people: people)
        // A deletion of either account removes the handle, and holds its account before.
        try connection.lock(accounts: [found.from, found.into])
        guard
            try connection.execute(.useMergeHandle, [.hash(record.handle), .id(record.session), .time(at)]) > 0
        else { return nil }
        let stored = try liveSession()
        // Another merge may have moved either side before the locks, and a link or a transfer may have given either account
        // another person.
        guard stored.account.id == found.into, try connection.isOpened(by: found.identity, found.from) else {
            throw AccountError.conflictHandleInvalid
        }
        guard try Set(connection.people(of: found)).isSubset(of: people) else { throw PersonNotLocked() }
        let plan = try connection.mergePlan(found, currentText: record.currentText, at: at)
        return (plan, stored.session)
    }

    /// The outcome for a handle that is gone: the accounts may be merged, and the answer lost.
    private func mergedBefore() throws -> MergedAccounts {
        let stored = try liveSession()
        guard let merged = try connection.merged(by: record.handle, into: stored.account.id) else {
            throw AccountError.conflictHandleInvalid
        }
        return MergedAccounts(from: merged.from, account: stored.account, mergedAt: merged.at)
    }

    private func liveSession() throws -> StoredSession {
        let stored = try connection.sessionRow(record.session)?.stored
        // The account was merged the other way meanwhile.
        if let stored, stored.ended?.reason == .merged { throw AccountError(mergedInto: stored.account.id) }
        guard let stored, stored.ended == nil, at < stored.session.expiresAt else {
            throw AccountError(.sessionEnded, "The session has ended.")
        }
        return stored
    }

    private func takeConsent(_ plan: MergePlan, in session: Session) throws {
        guard let missing = plan.consent else { return }
        guard record.consent?.textVersion == record.currentText else { throw AccountError(lacking: missing) }
        let caller = Caller(address: record.caller.address, device: session.deviceName ?? record.caller.device)
        for (id, purpose) in zip(record.consents, missing.purposes) {
            try connection.requireConsentAllowed(of: plan.into, to: purpose, at: at)
            try connection.give(
                Consent(
                    id: id, purpose: purpose, textVersion: record.currentText, givenAt: at, sessionID: session.id,
                    clientID: session.clientID, caller: caller), of: plan.into)
            if purpose == .linkedIdentity {
                for identity in plan.joining { try connection.note(id, joining: identity) }
            }
        }
    }

    private func withdrawReplacedConsents(_ plan: MergePlan) throws {
        for replaced in plan.replacedConsents {
            try connection.withdraw(replaced, to: .linkedIdentity, of: plan.from, at: at, by: actor)
        }
    }

    private func moveProfile(_ plan: MergePlan) throws {
        for part in plan.moves.profile {
            switch part {
            case .name: try move(.name, by: .moveName, plan)
            case .contactEmail: try move(.contactEmail, by: .moveContact, plan)
            case .phone: try move(.phone, by: .movePhone, plan)
            case .contactEmailChange:
                try connection.execute(.moveContactChanges, [.id(plan.from), .id(plan.into)])
            default: break
            }
        }
    }

    private func move(_ member: ProfileMember, by statement: SQLStatement, _ plan: MergePlan) throws {
        try connection.execute(statement, [.id(plan.from), .id(plan.into)])
        try connection.appendProfileChange(member, of: plan.into, at: at, by: actor)
    }

    /// Forgets what is about to be asked or done in the merged account, and moves everything else.
    private func moveRows(_ plan: MergePlan) throws {
        for statement in SQLStatement.forgetOfMerged { try connection.execute(statement, [.id(plan.from)]) }
        if !plan.moves.profile.contains(.contactEmailChange) {
            try connection.execute(.withdrawTakeBackMails, [.id(plan.from)])
        }
        try connection.execute(.moveSessions, [.id(plan.from), .id(plan.into), .time(at)])
        for statement in SQLStatement.moveOfMerged {
            try connection.execute(statement, [.id(plan.from), .id(plan.into)])
        }
        try connection.execute(
            .noteMerge, [.id(plan.from), .id(plan.into), .time(at), .hash(record.handle)])
    }

    /// The event of the merged account is its last one. Hooks hear of it once, after all that happened to that account.
    private func tell(_ plan: MergePlan) throws {
        let (from, into) = (plan.from, plan.into)
        let last = try connection.appendEvent(
            .accountMerged, of: from, at: at, about: into.rawValue, reason: AccountEvent.mergedInto)
        if let last {
            var notice = AccountNotice(.accountMerged, of: from, sequence: last, at: at)
            notice.mergedInto = into
            try connection.tellHooks(notice)
        }
        try connection.appendEvent(
            .accountMerged, of: into, at: at, about: from.rawValue, reason: AccountEvent.mergedFrom)
        try connection.append(AuditEntry(.accountMerged, at: at, by: actor, account: into, subject: from.rawValue))
        // Nothing personal: no deletion would find it here.
        try connection.append(
            AuditEntry(.accountMerged, at: at, by: .service(), account: from, subject: into.rawValue))
    }

    private func write(to recipient: MailRecipient, _ plan: MergePlan, _ id: MailID) throws {
        var recipient = recipient
        recipient.languages = record.caller.languages
        var values = ["happenedAt": at.date.formatted(.iso8601)]
        values["link"] = record.mail.linkToWaysIn
        values["address"] = plan.losses.identities.first?.address
        try connection.enqueue(
            record.mail.mail(.merged, id: id, to: recipient, of: plan.into, values: values, at: at))
    }
}

extension [MailRecipient] {
    /// Both accounts may have one address.
    fileprivate var withoutRepeats: Self {
        var addresses: Set<String> = []
        return filter { addresses.insert($0.address).inserted }
    }
}

/// The two accounts of a conflict.
struct MergeCandidate: Hashable, Sendable {
    /// The identity that could not be linked.
    var identity: IdentityID
    var from: AccountID
    var into: AccountID
    var expiresAt: Timestamp
}

extension SQLConnection {
    /// The accounts of a conflict; nil for a handle that is unknown, used, too old or of another session or browser, or whose
    /// identity opens the session's account by now.
    fileprivate func mergeCandidate(
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

    fileprivate func people(of found: MergeCandidate) throws -> [TokenHash] {
        try (identities(of: found.from) + identities(of: found.into)).map {
            TokenHash.person(team: $0.team, subject: $0.subject)
        }
    }

    fileprivate func isOpened(by identity: IdentityID, _ account: AccountID) throws -> Bool {
        try identities(of: account).contains { $0.id == identity }
    }

    fileprivate func mergePlan(
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
        facts?.linkConsents = try Dictionary(
            query(.holdingLinkConsents, [.id(account)]) { try ($0.word(IdentityID.self), $0.word(ConsentID.self)) }
        ) { first, _ in first }
        return facts
    }
}

extension SQLStatement {
    fileprivate static let mergeCandidate: Self = """
        SELECT i.id, i.account_id, s.account_id, c.expires_at, c.browser_hash
        FROM conflict_handles c JOIN identities i ON i.id = c.identity_id JOIN sessions s ON s.id = c.session_id
        WHERE c.hash = ?1 AND c.session_id = ?2 AND c.expires_at > ?3 AND i.removed_at IS NULL
            AND i.account_id <> s.account_id
        """
    fileprivate static let useMergeHandle: Self = """
        DELETE FROM conflict_handles WHERE hash = ?1 AND session_id = ?2 AND expires_at > ?3
        """
    fileprivate static let mergeFacts: Self = """
        SELECT disabled_at, name_typed_at, \(nameColumns), \(contactColumns) FROM accounts WHERE id = ?1
        """
    fileprivate static let countLiveSessions: Self = """
        SELECT count(*) FROM sessions WHERE account_id = ?1 AND ended_at IS NULL AND expires_at > ?2
        """
    fileprivate static let countHoldingConsents: Self = """
        SELECT count(*) FROM consents WHERE account_id = ?1 AND withdrawn_at IS NULL
        """
    fileprivate static let holdingLinkConsents: Self = """
        SELECT i.id, c.id FROM identities i JOIN consents c ON c.id = i.link_consent_id
        WHERE i.account_id = ?1 AND i.removed_at IS NULL AND c.withdrawn_at IS NULL
        """
    fileprivate static let moveName: Self = """
        UPDATE accounts SET (\(nameColumns), name_typed_at) =
            (SELECT \(nameColumns), name_typed_at FROM accounts WHERE id = ?1)
        WHERE id = ?2
        """
    fileprivate static let moveContact: Self = """
        UPDATE accounts SET (contact_email, contact_form, contact_email_verified_at) =
            (SELECT contact_email, contact_form, contact_email_verified_at FROM accounts WHERE id = ?1)
        WHERE id = ?2
        """
    fileprivate static let liveContactChange: Self = """
        SELECT hash FROM contact_changes WHERE account_id = ?1 AND expires_at > ?2 LIMIT 1
        """
    fileprivate static let moveContactChanges: Self = """
        UPDATE contact_changes SET account_id = ?2 WHERE account_id = ?1
        """
    /// A mail whose link no longer works is not sent.
    fileprivate static let withdrawTakeBackMails: Self = """
        DELETE FROM mails WHERE account_id = ?1 AND kind = 'address_changed'
        """
    /// Each session of the merged account has an end then. One that has expired by another server's clock alone has none
    /// yet. A session that Apple's word ended may ask for the events of its account, which are not those of the remaining one.
    fileprivate static let moveSessions: Self = """
        UPDATE sessions SET account_id = ?2, ended_at = coalesce(ended_at, ?3),
            end_reason = CASE
                WHEN end_reason IS NULL THEN 'merged'
                WHEN end_reason IN ('apple_consent_revoked', 'apple_account_deleted', 'apple_grant_dead') THEN 'merged'
                ELSE end_reason END
        WHERE account_id = ?1
        """
    fileprivate static let movePhone: Self = """
        UPDATE accounts SET phone = (SELECT phone FROM accounts WHERE id = ?1) WHERE id = ?2
        """

    /// The links and handles of an account that is merged (`?1`). Its person can ask for others.
    fileprivate static let forgetOfMerged: [Self] = [
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
    /// accounts, add its statement here, or above. Apple's tokens, passwords and the outbox belong to identities and people,
    /// which stay. Events stay with their account, whose numbers they have, and so do notices for hooks. A row of a transfer
    /// belongs to its identity, or names the account that a file has named.
    fileprivate static let moveOfMerged: [Self] = [
        """
        DELETE FROM announced WHERE account_id = ?1
            AND announcement IN (SELECT a.announcement FROM announced a WHERE a.account_id = ?2)
        """,
        "UPDATE announced SET account_id = ?2 WHERE account_id = ?1",
        "UPDATE identities SET account_id = ?2 WHERE account_id = ?1",
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
    fileprivate static let noteMerge: Self = """
        INSERT INTO merged_accounts (from_id, into_id, merged_at, handle_hash) VALUES (?1, ?2, ?3, ?4)
        """
    fileprivate static let removeMergedAccount: Self = "DELETE FROM accounts WHERE id = ?1"
}
