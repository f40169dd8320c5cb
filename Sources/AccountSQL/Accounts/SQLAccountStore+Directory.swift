public import AccountService
public import AppleIDTypes

extension SQLAccountStore {
    public func accountCount() async throws -> Int {
        try await database.read { connection in
            try connection.first(.accountCount, []) { try Int($0.int64()) } ?? 0
        }
    }

    public func accounts(after id: AccountID?, limit: Int) async throws -> [AccountRecord] {
        try await database.read { connection in
            // No id is empty, so all come after this one.
            let page: [SQLValue] = try [.text(id?.rawValue ?? ""), .int64(Int64(max(0, limit)))]
            return try connection.accounts(connection.query(.accountsAfter, page) { try AccountRecord(&$0) })
        }
    }

    public func account(_ id: AccountID) async throws -> AccountRecord? {
        try await database.read { connection in
            try connection.accounts(connection.query(.account, [.id(id)]) { try AccountRecord(&$0) }).first
        }
    }

    public func accounts(ofSubject subject: Subject) async throws -> [AccountRecord] {
        try await database.read { try $0.accounts(.accountsOfSubject, .text(subject)) }
    }

    public func accounts(ofEmail email: String) async throws -> [AccountRecord] {
        try await database.read { try $0.accounts(.accountsOfEmail, .text(email)) }
    }

    public func disable(_ account: AccountID, _ ending: SessionEnding, limit: Int) async throws -> Int? {
        try await database.write { connection in
            guard let wasDisabled = try connection.lockForAbility(account) else { return nil }
            if !wasDisabled {
                try connection.execute(.setDisabled, [.id(account), .time(ending.at)])
                try connection.append(
                    AuditEntry(.accountDisabled, at: ending.at, by: ending.actor, account: account))
            }
            return try connection.endSessions(of: account, ending, limit: limit)
        }
    }

    public func enable(_ account: AccountID, at: Timestamp, by actor: AuditActor) async throws -> Bool {
        try await database.write { connection in
            guard let wasDisabled = try connection.lockForAbility(account) else { return false }
            guard wasDisabled else { return true }
            // What a crash may have left of the sessions from before must not come back to life.
            try connection.endSessions(of: account, SessionEnding(at: at, reason: .accountDisabled, by: actor))
            try connection.execute(.setDisabled, [.id(account), .null])
            try connection.append(AuditEntry(.accountEnabled, at: at, by: actor, account: account))
            return true
        }
    }
}

extension SQLConnection {
    /// The revision is the account's lock: a sign-in under way comes before or after.
    /// - Returns: whether it is disabled; nil when there is no such account.
    fileprivate func lockForAbility(_ account: AccountID) throws -> Bool? {
        try first(.raiseRevision, [.id(account)]) { try $0.optionalTime() != nil }
    }

    /// - Parameter statement: finds the ids.
    fileprivate func accounts(_ statement: SQLStatement, _ key: SQLValue) throws -> [AccountRecord] {
        try query(statement, [key]) { try $0.word(AccountID.self) }.flatMap { id in
            try accounts(query(.account, [.id(id)]) { try AccountRecord(&$0) })
        }
    }

    /// Adds their identities to accounts that follow each other in the order of their ids.
    fileprivate func accounts(_ records: [AccountRecord]) throws -> [AccountRecord] {
        guard let first = records.first, let last = records.last else { return [] }
        let identities = try query(.identitiesOfAccounts, [.id(first.id), .id(last.id)]) { columns in
            try (account: columns.word(AccountID.self), identity: AccountRecord.Identity(&columns))
        }
        let ofAccount = Dictionary(grouping: identities, by: \.account)
        return records.map { record in
            var record = record
            record.identities = ofAccount[record.id]?.map(\.identity) ?? []
            return record
        }
    }
}

extension AccountRecord {
    fileprivate init(_ columns: inout SQLColumns) throws {
        try self.init(
            id: columns.word(), name: nil, createdAt: columns.time(), disabledAt: columns.optionalTime(), identities: []
        )
        name = try columns.name()
    }
}

extension AccountRecord.Identity {
    fileprivate init(_ columns: inout SQLColumns) throws {
        let (id, provider) = try (columns.word(IdentityID.self), columns.text())
        let (team, subject) = try (columns.word(TeamID.self), columns.word(Subject.self))
        let (createdAt, lastSignInAt) = try (columns.time(), columns.time())
        let facts = try IdentityFacts(&columns)
        try self.init(
            id: id, provider: provider, team: team, subject: subject, email: facts.email,
            emailVerified: facts.isVerified, isPrivateEmail: facts.isPrivate, access: facts.access,
            appleToken: columns.word(), createdAt: createdAt, lastSignInAt: lastSignInAt)
    }
}

extension SQLStatement {
    fileprivate static let accountCount: Self = "SELECT count(*) FROM accounts"
    fileprivate static let account: Self = """
        SELECT id, created_at, disabled_at, \(nameColumns) FROM accounts WHERE id = ?1
        """
    fileprivate static let accountsAfter: Self = """
        SELECT id, created_at, disabled_at, \(nameColumns) FROM accounts WHERE id > ?1 ORDER BY id LIMIT ?2
        """
    /// One person has an identity in each of an operator's teams at most.
    fileprivate static let accountsOfSubject: Self = """
        SELECT DISTINCT account_id FROM identities WHERE subject = ?1 ORDER BY account_id LIMIT 100
        """
    fileprivate static let accountsOfEmail: Self = """
        SELECT DISTINCT account_id FROM identities WHERE email = ?1 AND removed_at IS NULL ORDER BY account_id LIMIT 100
        """
    fileprivate static let identitiesOfAccounts: Self = """
        SELECT account_id, id, provider, team, subject, created_at, last_sign_in_at, \(identityFacts),
            \(appleTokenStatus)
        FROM identities i WHERE account_id >= ?1 AND account_id <= ?2 AND removed_at IS NULL
        ORDER BY account_id, created_at, id
        """
    fileprivate static let raiseRevision: Self = """
        UPDATE accounts SET revision = revision + 1 WHERE id = ?1 RETURNING disabled_at
        """
    fileprivate static let setDisabled: Self = "UPDATE accounts SET disabled_at = ?2 WHERE id = ?1"
}
