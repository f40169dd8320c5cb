import AccountDatabase
package import AppleIDTypes

extension AccountTransactions {
    package func accountCount() async throws -> Int {
        try await read { connection in
            try connection.first(.accountCount, []) { try Int($0.int64()) } ?? 0
        }
    }

    /// At most `limit` accounts in the order of their ids, after one; nil begins with the oldest.
    package func accounts(after id: AccountID?, limit: Int) async throws -> [ListedAccount] {
        try await read { try $0.accounts(after: id, limit: limit) }
    }

    package func account(_ id: AccountID) async throws -> ListedAccount? {
        try await read { try $0.account(id) }
    }

    /// Returns the accounts that have this `sub`, in whichever team.
    package func accounts(ofSubject subject: Subject) async throws -> [ListedAccount] {
        try await read { try $0.accounts(.accountsOfSubject, .text(subject)) }
    }

    /// The accounts with exactly this address, told by Apple or as contact address, at most 100, oldest first.
    package func accounts(ofEmail email: String) async throws -> [ListedAccount] {
        try await read { try $0.accounts(.accountsOfEmail, .text(email)) }
    }

    /// Refuses sign-ins to an account from now on (``AccountError/Code/accountDisabled``), appends that to the audit
    /// when it was not so before, and ends at most `limit` of its live sessions, like
    /// ``endSessions(of:except:_:limit:)``. Those that are left count as ended too, for as long as it is disabled.
    /// - Returns: how many sessions it ended; nil when there is no such account.
    package func disable(_ account: AccountID, _ ending: SessionEnding, limit: Int) async throws -> Int? {
        try await write { connection in
            guard let wasDisabled = try connection.lockAndReadIsDisabled(account) else { return nil }
            if !wasDisabled {
                try connection.execute(.setDisabled, [.id(account), .time(ending.at)])
                try connection.append(
                    AuditEntry(.accountDisabled, at: ending.at, by: ending.actor, account: account))
            }
            return try connection.endSessions(of: account, ending, limit: limit)
        }
    }

    /// Takes sign-ins again, and appends that to the audit when it was not so before. No session from before lives on.
    /// - Returns: false when there is no such account.
    package func enable(_ account: AccountID, at: Timestamp, by actor: AuditActor) async throws -> Bool {
        try await write { connection in
            guard let wasDisabled = try connection.lockAndReadIsDisabled(account) else { return false }
            guard wasDisabled else { return true }
            // The sessions that a crash may have left from before must not come back to life.
            try connection.endSessions(of: account, SessionEnding(at: at, reason: .accountDisabled, by: actor))
            try connection.execute(.setDisabled, [.id(account), .null])
            try connection.append(AuditEntry(.accountEnabled, at: at, by: actor, account: account))
            return true
        }
    }

    /// An account's identities, Apple's and email identities, in the order in which they were added; none when there is
    /// no such account.
    package func identities(of account: AccountID) async throws -> [Identity] {
        try await read { try $0.identities(of: account) }
    }
}

extension SQLConnection {
    /// The revision is the account's lock: a sign-in under way comes before or after.
    /// - Returns: whether it is disabled; nil when there is no such account.
    fileprivate func lockAndReadIsDisabled(_ account: AccountID) throws -> Bool? {
        try first(.raiseRevision, [.id(account)]) { try $0.optionalTime() != nil }
    }

    /// At most `limit` accounts in the order of their ids, after one; nil begins with the oldest.
    func accounts(after id: AccountID?, limit: Int) throws -> [ListedAccount] {
        // No id is empty, so all come after this one.
        let page: [SQLValue] = try [.text(id?.rawValue ?? ""), .int64(Int64(max(0, limit)))]
        return try accounts(query(.accountsAfter, page) { try ListedAccount(&$0) })
    }

    func account(_ id: AccountID) throws -> ListedAccount? {
        try accounts(query(.account, [.id(id)]) { try ListedAccount(&$0) }).first
    }

    /// - Parameter statement: finds the ids.
    fileprivate func accounts(_ statement: SQLStatement, _ key: SQLValue) throws -> [ListedAccount] {
        try query(statement, [key]) { try $0.word(AccountID.self) }.flatMap { id in
            try accounts(query(.account, [.id(id)]) { try ListedAccount(&$0) })
        }
    }

    /// Adds their identities to accounts that follow each other in the order of their ids.
    fileprivate func accounts(_ records: [ListedAccount]) throws -> [ListedAccount] {
        guard let first = records.first, let last = records.last else { return [] }
        let identities = try query(.identitiesOfAccounts, [.id(first.id), .id(last.id)]) { columns in
            try (account: columns.word(AccountID.self), identity: ListedAccount.Identity(&columns))
        }
        let ofAccount = Dictionary(grouping: identities, by: \.account)
        return records.map { record in
            var record = record
            record.identities = ofAccount[record.id]?.map(\.identity) ?? []
            return record
        }
    }

    func identities(of account: AccountID) throws -> [Identity] {
        try query(.identitiesOfAccount, [.id(account)]) { columns in
            let id = try columns.word(IdentityID.self)
            let provider = try columns.word(IdentityProvider.self)
            let (team, subject) = try (columns.word(TeamID.self), columns.word(Subject.self))
            let (createdAt, lastSignInAt) = try (columns.time(), columns.time())
            let facts = try IdentityFacts(&columns)
            return Identity(
                id: id, accountID: account, provider: provider, team: team, subject: subject, email: facts.email,
                emailVerified: facts.isVerified, isPrivateEmail: facts.isPrivate, access: facts.access,
                createdAt: createdAt, lastSignInAt: lastSignInAt)
        }
    }

    func appleTokenStatus(of identity: IdentityID) throws -> AppleTokenStatus {
        try first(.statusOfIdentity, [.id(identity)]) { try $0.word(AppleTokenStatus.self) } ?? .none
    }
}

extension ListedAccount {
    fileprivate init(_ columns: inout SQLColumns) throws {
        try self.init(
            id: columns.word(), name: nil, createdAt: columns.time(), disabledAt: columns.optionalTime(), identities: []
        )
        name = try columns.name()
        contact = try ContactFacts(&columns)
    }
}

extension ListedAccount.Identity {
    fileprivate init(_ columns: inout SQLColumns) throws {
        let (id, provider) = try (columns.word(IdentityID.self), columns.text())
        let (team, subject) = try (columns.word(TeamID.self), columns.word(Subject.self))
        let (createdAt, lastSignInAt) = try (columns.time(), columns.time())
        let facts = try IdentityFacts(&columns)
        try self.init(
            id: id, provider: provider, team: team, subject: subject, email: facts.email,
            emailVerified: facts.isVerified, isPrivateEmail: facts.isPrivate, access: facts.access,
            appleToken: columns.word(), createdAt: createdAt, lastSignInAt: lastSignInAt)
        passwordSetAt = try columns.optionalTime()
        isPasswordOff = try columns.optionalFlag() == true
    }
}

extension SQLStatement {
    fileprivate static let accountCount: Self = "SELECT count(*) FROM accounts"
    fileprivate static let account: Self = """
        SELECT id, created_at, disabled_at, \(nameColumns), \(contactColumns) FROM accounts WHERE id = ?1
        """
    fileprivate static let accountsAfter: Self = """
        SELECT id, created_at, disabled_at, \(nameColumns), \(contactColumns) FROM accounts
        WHERE id > ?1 ORDER BY id LIMIT ?2
        """
    /// One person has an identity in each of an operator's teams at most.
    fileprivate static let accountsOfSubject: Self = """
        SELECT DISTINCT account_id FROM identities WHERE subject = ?1 ORDER BY account_id LIMIT 100
        """
    fileprivate static let accountsOfEmail: Self = """
        SELECT account_id FROM (
            SELECT account_id FROM identities WHERE email = ?1 AND removed_at IS NULL
            UNION SELECT id FROM accounts WHERE contact_email = ?1) AS found
        ORDER BY account_id LIMIT 100
        """
    fileprivate static let identitiesOfAccounts: Self = """
        SELECT account_id, id, provider, team, subject, created_at, last_sign_in_at, \(identityFacts),
            \(appleTokenStatus), (SELECT p.set_at FROM passwords p WHERE p.identity_id = i.id),
            (SELECT p.is_off FROM passwords p WHERE p.identity_id = i.id)
        FROM identities i WHERE account_id >= ?1 AND account_id <= ?2 AND removed_at IS NULL
        ORDER BY account_id, created_at, id
        """
    fileprivate static let raiseRevision: Self = """
        UPDATE accounts SET revision = revision + 1 WHERE id = ?1 RETURNING disabled_at
        """
    fileprivate static let setDisabled: Self = "UPDATE accounts SET disabled_at = ?2 WHERE id = ?1"

    fileprivate static let identitiesOfAccount: Self = """
        SELECT id, provider, team, subject, created_at, last_sign_in_at, \(identityFacts)
        FROM identities WHERE account_id = ?1 AND removed_at IS NULL ORDER BY created_at, id
        """

    /// An `AppleTokenStatus` of the identity `i` of the statement around it.
    static let appleTokenStatus: Self = """
        CASE WHEN EXISTS (SELECT t.id FROM apple_tokens t WHERE t.identity_id = i.id) THEN 'held'
            WHEN EXISTS (SELECT o.id FROM outbox o WHERE o.identity_id = i.id AND o.finished_at IS NULL
                AND o.kind = 'code') THEN 'waiting'
            ELSE 'none' END
        """
    fileprivate static let statusOfIdentity: Self = "SELECT \(appleTokenStatus) FROM identities i WHERE i.id = ?1"
}
