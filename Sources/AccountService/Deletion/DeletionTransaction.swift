import AccountDatabase
import AppleIDTypes

/// Everything that a deletion writes and removes, in one transaction.
package struct DeletionRecord: Sendable {
    package var at: Timestamp
    /// The live session that asks for the deletion. Its account is deleted.
    package var session: SessionID
    package var handleHash: TokenHash
    /// The credentials that a reauthentication for the deletion used up.
    package var used: [UsedCredential]
    package var ownCode: SignInRecord.UsedOwnCode?
    /// The token that the reauthentication brought: revoked, and never kept.
    package var appleToken: AppleToken?
    /// A code that could not be redeemed yet: what it brings is revoked.
    package var waitingCode: OutboxEntry?
    /// For the audit.
    package var caller = Caller.unknown
    /// Nil where the service sends no mail.
    package var mails: DeletionMails?

    package init(
        at: Timestamp, session: SessionID, handleHash: TokenHash, used: [UsedCredential] = [],
        appleToken: AppleToken? = nil
    ) {
        self.at = at
        self.session = session
        self.handleHash = handleHash
        self.used = used
        self.appleToken = appleToken
    }
}

/// The part that all deletions of an account have in common, whoever wants it: the person, an operator, or a rule of the
/// service. A deletion by a session makes it of a ``DeletionRecord``.
package struct PurgeRecord: Sendable {
    package var at: Timestamp
    package var account: AccountID
    package var handleHash: TokenHash
    /// For the audit.
    package var actor: AuditActor
    /// A code that says why, for the audit, the account's events and the hooks; nil for the person's own wish.
    package var reason: String?
    /// Nil where nobody is told by mail.
    package var mails: DeletionMails?

    package init(
        at: Timestamp, account: AccountID, handleHash: TokenHash, by actor: AuditActor, reason: String?
    ) {
        self.at = at
        self.account = account
        self.handleHash = handleHash
        self.actor = actor
        self.reason = reason
    }
}

extension AccountTransactions {
    /// Deletes the session's account with everything that belongs to it, and writes into the outbox what is to be revoked at
    /// Apple.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/alreadyUsed`` like ``signIn(_:)`` and
    /// ``AccountError/Code/sessionEnded`` unless the session lives.
    /// - Returns: how many entries of the outbox the deletion waits for. If there is none, the deletion is done.
    package func deleteAccount(_ record: DeletionRecord) async throws -> RevocationWork {
        try await lockingPeople { try $0.deleteAccount(record) }
    }

    /// Deletes an account without a session, for an operator. It writes and removes what ``deleteAccount(_:)`` does.
    /// - Returns: how many entries of the outbox the deletion waits for; nil when there is no such account.
    package func purgeAccount(_ purge: PurgeRecord) async throws -> RevocationWork? {
        try await lockingPeople { connection in
            let people = try connection.people(of: purge.account)
            try connection.lock(people: people)
            guard try connection.lock(account: purge.account) else { return nil }
            try connection.requireLocked(people, of: purge.account)
            return try connection.purgeAccount(purge, isAuthorized: false)
        }
    }

    /// Returns the state of a deletion; nil when there is none, or when it was swept.
    package func deletion(_ handleHash: TokenHash) async throws -> Deletion? {
        try await read { connection in
            try connection.first(.deletion, [.hash(handleHash)]) { columns in
                let requestedAt = try columns.time()
                let finishedAt = try columns.optionalTime()
                let isWithdrawn = try columns.flag()
                let asksApple = try columns.flag()
                let hasApple = try columns.optionalFlag() ?? true
                let isParked = try columns.int64() > 0
                let state: Deletion.State =
                    if finishedAt != nil { isWithdrawn ? .withdrawn : .done } else { isParked ? .parked : .waiting }
                return Deletion(
                    state: state, requestedAt: requestedAt, finishedAt: finishedAt, asksApple: asksApple,
                    hasApple: hasApple)
            }
        }
    }
}

extension SQLConnection {
    fileprivate func people(of account: AccountID) throws -> [TokenHash] {
        try identities(of: account).map(\.personHash)
    }

    /// For a transaction that has locked the account: an upgrade or a link may have come in between.
    fileprivate func requireLocked(_ people: [TokenHash], of account: AccountID) throws {
        guard try Set(self.people(of: account)).isSubset(of: people) else { throw PersonNotLocked() }
    }

    fileprivate func deleteAccount(_ record: DeletionRecord) throws -> RevocationWork {
        let people = try query(.peopleOfSession, [.id(record.session)]) { columns in
            try TokenHash.person(team: columns.word(), subject: Subject(columns.text()))
        }
        try lock(people: people)
        try markUsed(record.used, at: record.at)
        if let code = record.ownCode {
            try markOwnCodeUsed(code, at: record.at)
        }
        let session = try lockedSession(record.session, at: record.at).session
        try requireLocked(people, of: session.accountID)
        let isProven = !record.used.isEmpty || record.ownCode != nil
        // The credential is that of the identity that opened the session, which may be one of another provider.
        let identity =
            try isProven || record.appleToken != nil
            ? identities(of: session.accountID).first { $0.id == session.identityID && $0.provider == .apple } : nil
        if let token = record.appleToken {
            try placeOrder(
                OutboxEntry(
                    revoking: token,
                    personHash: identity?.personHash,
                    deletionHash: record.handleHash, at: record.at), at: record.at)
        }
        if var code = record.waitingCode {
            code.identityID = session.identityID
            code.deletionHash = record.handleHash
            try insertOutbox(code)
            try execute(.noteOrder, [.id(code.id), .time(record.at)])
        }
        var purge = PurgeRecord(
            at: record.at, account: session.accountID, handleHash: record.handleHash,
            by: .account(through: session.id, from: record.caller), reason: nil)
        purge.mails = record.mails
        return try purgeAccount(
            purge,
            // To get a credential of Apple's, the person has authorized the app just now.
            isAuthorized: isProven && identity != nil)
    }

    /// Removes an account with its rows, and orders the revocations at Apple. Every deletion ends with this step. For a
    /// transaction that has raised the account's revision.
    /// - Parameter isAuthorized: whether the person has just authorized the app at Apple, to prove who they are.
    /// - Returns: how many entries of the outbox the deletion waits for.
    func purgeAccount(_ purge: PurgeRecord, isAuthorized: Bool) throws -> RevocationWork {
        let (account, handle, moment) = (purge.account, purge.handleHash, purge.at)
        // An identity of Apple's that was removed counts, too: the outbox may still have to revoke its tokens.
        let hasApple = try returnsRow(.anyAppleIdentity, [.id(account)])
        try execute(.insertDeletion, [.hash(handle), .time(moment), .flag(false), .flag(true), .flag(hasApple)])
        let recipient = try recipient(ofDeletionMails: purge.mails, of: account)
        var mayBeListed = isAuthorized
        for identity in try identities(of: account) where identity.provider == .apple {
            let person = identity.personHash
            mayBeListed = try mayBeListed || self.mayBeListed(identity.id, person)
            _ = try moveTokensToOutbox(of: identity.id, personHash: person, deletionHash: handle, at: moment)
            // Apple's notifications from before the person had an account go here; the rest goes with the purge.
            let hashed = AppleNotification.hashedSubject(identity.subject, team: identity.team)
            try execute(.purgeEarlyNotifications, [.text(hashed), .text(identity.team)])
            try execute(.joinDeletion, [.hash(person), .hash(handle), .time(moment)])
            try execute(.noteOrderOnCodes, [.hash(person), .time(moment)])
        }
        try append(
            AuditEntry(.accountDeleted, at: moment, by: purge.actor, account: account, detail: purge.reason))
        try forgetCallers(of: account)
        try appendEvent(.accountDeleted, of: account, at: moment, reason: purge.reason)
        for statement in SQLStatement.purge { try execute(statement, [.id(account)]) }
        eraseRemoved()
        try enqueueDeletionDone(purge.mails, to: recipient, deletion: handle, at: moment)
        try closeDeletion(handle, at: moment)
        let open = try Int(first(.countOpen, [.hash(handle)]) { try $0.int64() } ?? 0)
        if open > 0 { try enqueueDeletionBegun(purge.mails, to: recipient, at: moment) }
        if open == 0, !mayBeListed { try execute(.noteEndedBefore, [.hash(handle), .flag(true)]) }
        return RevocationWork(count: open, needsManualRemoval: open == 0 && mayBeListed, hasApple: hasApple)
    }

    /// Notes that nothing is left to do for a deletion, if no entry of the outbox is open. Two transactions may finish the
    /// last two entries at once. So each first locks the deletion's row: the second one then sees what the first has done.
    func closeDeletion(_ handleHash: TokenHash, at moment: Timestamp) throws {
        try execute(.lockDeletion, [.hash(handleHash)])
        try closeLockedDeletion(handleHash, at: moment)
    }

    /// Notes that a deletion no longer waits for Apple, because the person has signed in again, and sends no mail about it.
    func withdrawDeletion(_ handleHash: TokenHash, at moment: Timestamp) throws {
        try execute(.withdrawDeletion, [.hash(handleHash), .flag(true)])
        try withdrawMail(ofDeletion: handleHash)
        try closeLockedDeletion(handleHash, at: moment)
    }

    private func closeLockedDeletion(_ handleHash: TokenHash, at moment: Timestamp) throws {
        try execute(.closeDeletion, [.hash(handleHash), .time(moment), .flag(true), .flag(false)])
        try releaseMail(ofDeletion: handleHash, at: moment)
    }
}

extension SQLStatement {
    fileprivate static let insertDeletion: Self = """
        INSERT INTO deletions (handle_hash, revision, requested_at, is_withdrawn, asks_apple, has_apple)
        VALUES (?1, 1, ?2, ?3, ?4, ?5)
        """
    fileprivate static let anyAppleIdentity: Self = """
        SELECT id FROM identities WHERE account_id = ?1 AND provider = 'apple'
        """
    /// Adds revocations on their way to Apple already, and codes that wait, to the deletion, which waits for them, too.
    fileprivate static let joinDeletion: Self = """
        UPDATE outbox SET deletion_hash = ?2, ordered_at = ?3
        WHERE person_hash = ?1 AND finished_at IS NULL AND deletion_hash IS NULL
        """
    fileprivate static let purgeEarlyNotifications: Self = """
        DELETE FROM apple_notifications WHERE subject = ?1 AND team = ?2
        """
    fileprivate static let noteOrder: Self = "UPDATE outbox SET ordered_at = ?2 WHERE id = ?1"
    /// The identities of the account that a session opens.
    fileprivate static let peopleOfSession: Self = """
        SELECT i.team, i.subject FROM sessions s JOIN identities i ON i.account_id = s.account_id
        WHERE s.id = ?1 AND i.removed_at IS NULL
        """
    fileprivate static let countOpen: Self = """
        SELECT count(*) FROM outbox WHERE deletion_hash = ?1 AND finished_at IS NULL
        """
    /// Notes that the authorization at Apple had ended before the deletion, so that the person needn't remove the app by hand.
    fileprivate static let noteEndedBefore: Self = "UPDATE deletions SET asks_apple = ?2 WHERE handle_hash = ?1"
    fileprivate static let lockDeletion: Self = """
        UPDATE deletions SET revision = revision + 1 WHERE handle_hash = ?1
        """
    fileprivate static let withdrawDeletion: Self = """
        UPDATE deletions SET revision = revision + 1, is_withdrawn = ?2 WHERE handle_hash = ?1
        """
    fileprivate static let closeDeletion: Self = """
        UPDATE deletions SET finished_at = ?2, asks_apple = CASE WHEN is_withdrawn = ?3 THEN asks_apple
                WHEN EXISTS (SELECT id FROM outbox WHERE deletion_hash = ?1 AND kind = 'revocation') THEN ?3
                ELSE ?4 END
        WHERE handle_hash = ?1 AND finished_at IS NULL
            AND NOT EXISTS (SELECT id FROM outbox WHERE deletion_hash = ?1 AND finished_at IS NULL)
        """
    fileprivate static let deletion: Self = """
        SELECT requested_at, finished_at, is_withdrawn, asks_apple, has_apple,
            (SELECT count(*) FROM outbox o
             WHERE o.deletion_hash = d.handle_hash AND o.finished_at IS NULL AND o.state = 'parked')
        FROM deletions d WHERE handle_hash = ?1
        """

    /// Everything that goes with an account (`?1`), in the order that the references between tables ask for. If you add
    /// a table with rows about people, add its statement here. Events and audit stay: their rows are ids and codes.
    static let purge: [Self] = [
        """
        DELETE FROM kept_names WHERE (team, subject) IN
            (SELECT team, subject FROM identities WHERE account_id = ?1 AND provider = 'apple')
        """,
        // A notification that is being applied may be what deletes the account. Its row stays, so that a repeat is known.
        """
        DELETE FROM apple_notifications WHERE outcome <> 'received' AND (subject, team) IN
            (SELECT subject, team FROM identities WHERE account_id = ?1 AND provider = 'apple')
        """,
        // The notifications about a removed identity, whose row has no subject any more.
        "DELETE FROM apple_notifications WHERE account_id = ?1",
        "DELETE FROM not_me_links WHERE account_id = ?1",
        "DELETE FROM mails WHERE account_id = ?1",
        // The notes of sent mails stay for their day, because they limit mail to the address. They no longer name the account.
        "UPDATE mails_sent SET account_id = NULL WHERE account_id = ?1",
        "DELETE FROM announced WHERE account_id = ?1",
        """
        DELETE FROM conflict_handles WHERE session_id IN (SELECT id FROM sessions WHERE account_id = ?1)
            OR identity_id IN (SELECT id FROM identities WHERE account_id = ?1)
        """,
        "DELETE FROM link_requests WHERE account_id = ?1",
        "DELETE FROM account_pairs WHERE first_id = ?1 OR second_id = ?1",
        "DELETE FROM sessions WHERE account_id = ?1",
        "DELETE FROM apple_tokens WHERE identity_id IN (SELECT id FROM identities WHERE account_id = ?1)",
        "DELETE FROM email_links WHERE account_id = ?1",
        "DELETE FROM passwords WHERE identity_id IN (SELECT id FROM identities WHERE account_id = ?1)",
        "DELETE FROM identities WHERE account_id = ?1",
        "DELETE FROM consents WHERE account_id = ?1",
        "DELETE FROM contact_changes WHERE account_id = ?1",
        // A repeated import doesn't bring the person back.
        """
        INSERT INTO forgotten_people (source, hash) SELECT source, hash FROM imported_people WHERE account_id = ?1
        ON CONFLICT (source, hash) DO NOTHING
        """,
        "DELETE FROM imported_people WHERE account_id = ?1",
        "DELETE FROM merged_accounts WHERE into_id = ?1",
        "DELETE FROM accounts WHERE id = ?1",
    ]
}
