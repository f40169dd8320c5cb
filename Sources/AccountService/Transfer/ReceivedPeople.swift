import AccountDatabase
package import AppleIDTypes

/// A person of a file from another service.
package struct ReceivedPerson: Hashable, Sendable, Redacted {
    package var account: AccountID
    package var identity: IdentityID?
    package var transferSubject: Subject

    package init(account: AccountID, identity: IdentityID? = nil, transferSubject: Subject) {
        self.account = account
        self.identity = identity
        self.transferSubject = transferSubject
    }
}

/// The numbers of people that a file brought.
package struct ReceivedCounts: Hashable, Sendable {
    /// People who were not known before.
    package var new = 0
    /// People who were left out, because an identity of the sending team opens their account here.
    package var existing = 0
    /// People who were left out, because their account was here and has been deleted.
    package var deleted = 0

    package init() {}

    package static func += (counts: inout Self, more: Self) {
        counts.new += more.new
        counts.existing += more.existing
        counts.deleted += more.deleted
    }
}

extension AccountTransactions {
    /// Keeps the people of a file who are not here yet, in one transaction. From then on each can sign in.
    ///
    /// An identity of the sending team that is here moves, if the operator says that the file may name such identities.
    /// Elsewhere the person gets the account when they are moved.
    /// - Parameter ids: as many as people.
    func receive(
        _ people: [ReceivedPerson], ids: [TransferID], from source: TeamID, to target: TeamID,
        takesExistingAccounts: Bool, at moment: Timestamp
    ) async throws -> ReceivedCounts {
        try await write { connection in
            var counts = ReceivedCounts()
            for (person, id) in zip(people, ids)
            where try connection.transfer(to: target, person.transferSubject) == nil {
                // The row keeps the account that the file names.
                let account = try connection.accountMerged(from: person.account)?.into ?? person.account
                let identities = try connection.identities(of: account, in: source)
                guard identities.isEmpty || takesExistingAccounts else {
                    counts.existing += 1
                    continue
                }
                guard try !connection.wasDeleted(account) else {
                    counts.deleted += 1
                    continue
                }
                let identity =
                    person.identity.map { named in identities.first { $0.id == named } }
                    ?? (identities.count == 1 ? identities.first : nil)
                if try connection.keep(person, identity, as: id, from: source, to: target, at: moment) {
                    counts.new += 1
                }
            }
            return counts
        }
    }

    /// Counts the people of a file whom ``receive(_:ids:from:to:takesExistingAccounts:at:)`` leaves out, unless the operator
    /// says that the file may name identities that are here.
    package func countExisting(_ people: [ReceivedPerson], from source: TeamID, to target: TeamID) async throws -> Int {
        try await read { connection in
            try people.count { person in
                let account = try connection.accountMerged(from: person.account)?.into ?? person.account
                return try connection.transfer(to: target, person.transferSubject) == nil
                    && !connection.identities(of: account, in: source).isEmpty
            }
        }
    }
}

extension SQLConnection {
    /// Whether an account was here and has been deleted, as far as the audit goes back, or was merged into one that has
    /// been. Its person doesn't come again by a file.
    func wasDeleted(_ account: AccountID) throws -> Bool {
        try returnsRow(
            .findDeletedAccount, [.id(account), .text(AuditEvent.accountDeleted), .text(AuditEvent.accountMerged)])
    }

    fileprivate func identities(of account: AccountID, in team: TeamID) throws -> [Identity] {
        try identities(of: account).filter { $0.provider == .apple && $0.team == team }
    }

    /// - Returns: whether the person was kept. Another row of the identity may have the place.
    fileprivate func keep(
        _ person: ReceivedPerson, _ identity: Identity?, as id: TransferID, from source: TeamID, to target: TeamID,
        at moment: Timestamp
    ) throws -> Bool {
        if let identity {
            let mended = try execute(
                .mendExport, [.id(identity.id), .text(target), .text(person.transferSubject), .time(moment)])
            if mended > 0 { return true }
        }
        return try execute(
            .insertReceived,
            [
                .id(id), .text(source), .text(target), .id(person.account), .id(orNull: identity?.id), .flag(true),
                .text(orNull: identity?.subject.rawValue), .text(person.transferSubject), .time(moment),
            ]) > 0
    }
}

extension SQLStatement {
    fileprivate static let findDeletedAccount: Self = """
        SELECT id FROM audit
        WHERE account_id = ?1 AND event IN (?2, ?3) AND NOT EXISTS (SELECT a.id FROM accounts a WHERE a.id = ?1)
        LIMIT 1
        """
    fileprivate static let mendExport: Self = """
        UPDATE transfers SET transfer_subject = ?3, state = 'exported', failure = NULL, updated_at = ?4
        WHERE identity_id = ?1 AND target = ?2 AND transfer_subject IS NULL
        """
    fileprivate static let insertReceived: Self = """
        INSERT INTO transfers (id, source, target, account_id, identity_id, is_received, former_subject,
            transfer_subject, state, updated_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'exported', ?9)
        ON CONFLICT DO NOTHING
        """
}
