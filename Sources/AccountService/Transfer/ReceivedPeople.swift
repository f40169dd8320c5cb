import AccountDatabase
package import AppleID
package import AppleIDTypes

/// The numbers of people that a file brought.
package struct ReceivedCounts: Hashable, Sendable {
    /// People who were not known before.
    package var new = 0
    /// People who were left out, because their account is here, or another file has brought it.
    package var existing = 0
    /// People who were left out, because their account was here and has been deleted.
    package var deleted = 0

    package init() {}

    static func += (counts: inout Self, more: Self) {
        counts.new += more.new
        counts.existing += more.existing
        counts.deleted += more.deleted
    }
}

/// One reading of a file from another service: keeps its people, so that each can sign in from then on. A file may be
/// read again.
package struct TransferReading: Sendable {
    /// People of a file in one transaction.
    private static let batchSize = 200

    private let source: TeamID
    private let target: TeamID
    private let takesExistingAccounts: Bool
    /// The hashes of the accounts that this reading has brought. Several people of one file may have the same account.
    private var accounts: Set<Int> = []
    package private(set) var counts = ReceivedCounts()

    /// - Parameters:
    ///   - source: the team that sends the app.
    ///   - target: the team that receives the app.
    ///   - takesExistingAccounts: whether the file may name accounts that are here, as on a copy of the sender's
    ///     database. Elsewhere such a line would give somebody else's account away.
    package init(from source: TeamID, to target: TeamID, takesExistingAccounts: Bool) {
        self.source = source
        self.target = target
        self.takesExistingAccounts = takesExistingAccounts
    }

    /// Keeps the next people of the file.
    package mutating func receive(
        _ lines: [TransferLine], in store: AccountTransactions, environment: AppleIDEnvironment = .live
    ) async throws {
        try await inBatches(lines) { batch, known in
            let moment = Timestamp(environment.now())
            return try await store.receive(
                batch, ids: batch.map { _ in TransferID(at: moment, randomness: environment.randomBytes(10)) },
                known, at: moment)
        }
    }

    /// Counts the next people of the file, and keeps nobody.
    package mutating func count(_ lines: [TransferLine], in store: AccountTransactions) async throws {
        try await inBatches(lines) { batch, known in try await store.countReceived(batch, known) }
    }

    private mutating func inBatches(
        _ lines: [TransferLine],
        _ work: (_ batch: [TransferLine], _ known: ReceivedAccounts) async throws -> ReceivedBatch
    ) async throws {
        var rest = lines[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Self.batchSize))
            rest = rest.dropFirst(Self.batchSize)
            let known = ReceivedAccounts(
                source: source, target: target, takesExistingAccounts: takesExistingAccounts,
                accounts: Set(batch.map(\.account).filter { accounts.contains($0.hashValue) }))
            let read = try await work(batch, known)
            counts += read.counts
            accounts.formUnion(read.accounts.map(\.hashValue))
            try Task.checkCancellation()
        }
    }
}

/// The facts by which a batch of a file is read.
struct ReceivedAccounts: Sendable {
    var source: TeamID
    var target: TeamID
    var takesExistingAccounts: Bool
    /// The accounts of the batch that the same reading has brought before.
    var accounts: Set<AccountID>
}

/// The result of a batch of a file.
struct ReceivedBatch: Sendable {
    var counts = ReceivedCounts()
    /// The accounts of new people.
    var accounts: Set<AccountID>
}

extension AccountTransactions {
    /// Keeps the people of a file who are not here yet, in one transaction. From then on each can sign in.
    ///
    /// An identity of the sending team that is here moves, if the operator says that the file may name such accounts.
    /// Elsewhere the person gets the account when they are moved.
    /// - Parameter ids: as many as lines.
    fileprivate func receive(
        _ lines: [TransferLine], ids: [TransferID], _ known: ReceivedAccounts, at moment: Timestamp
    ) async throws -> ReceivedBatch {
        try await write { connection in
            var ids = ids[...]
            return try connection.read(lines, known) { line, identity in
                guard let id = ids.popFirst() else { return false }
                return try connection.keep(line, identity, as: id, at: moment)
            }
        }
    }

    /// Counts the people of a file like ``receive(_:ids:_:at:)``.
    fileprivate func countReceived(_ lines: [TransferLine], _ known: ReceivedAccounts) async throws -> ReceivedBatch {
        try await read { try $0.read(lines, known) { _, _ in true } }
    }
}

extension SQLConnection {
    /// Whether an account was here and has been deleted, as far as the audit goes back, or was merged into one that has
    /// been. Its person doesn't come again by a file.
    func wasDeleted(_ account: AccountID) throws -> Bool {
        try returnsRow(
            .findDeletedAccount, [.id(account), .text(AuditEvent.accountDeleted), .text(AuditEvent.accountMerged)])
    }

    /// - Parameter keep: keeps a person who is not here yet, with the identity that moves. Returns whether it has.
    fileprivate func read(
        _ lines: [TransferLine], _ known: ReceivedAccounts, keep: (TransferLine, Identity?) throws -> Bool
    ) throws -> ReceivedBatch {
        var batch = ReceivedBatch(accounts: known.accounts)
        for line in lines where try transfer(to: known.target, line.transferSubject) == nil {
            // The row keeps the account that the file names.
            let account = try accountMerged(from: line.account)?.into ?? line.account
            let isOfReading = batch.accounts.contains(line.account)
            let isTaken = try self.isTaken(line.account, by: known.target) || self.isTaken(account, by: known.target)
            if !known.takesExistingAccounts, !isOfReading, isTaken {
                batch.counts.existing += 1
                continue
            }
            guard try !wasDeleted(account) else {
                batch.counts.deleted += 1
                continue
            }
            let identities = try identities(of: account).filter {
                $0.provider == .apple && $0.team == known.source
            }
            let identity =
                line.identity.map { named in identities.first { $0.id == named } }
                ?? (identities.count == 1 ? identities.first : nil)
            guard try keep(line, identity) else { continue }
            batch.counts.new += 1
            batch.accounts.insert(line.account)
        }
        return batch
    }

    /// Whether an account is here, or an earlier file has brought it.
    private func isTaken(_ account: AccountID, by target: TeamID) throws -> Bool {
        try returnsRow(.findTakenAccount, [.id(account), .text(target)])
    }

    /// - Returns: whether the person was kept. Another row of the identity may have the place.
    fileprivate func keep(
        _ line: TransferLine, _ identity: Identity?, as id: TransferID, at moment: Timestamp
    ) throws -> Bool {
        if let identity {
            let values: [SQLValue] = try [
                .id(identity.id), .text(line.to), .text(line.transferSubject), .time(moment),
            ]
            if try execute(.completeExport, values) > 0 { return true }
        }
        return try execute(
            .insertReceived,
            [
                .id(id), .text(line.from), .text(line.to), .id(line.account), .id(orNull: identity?.id), .flag(true),
                .text(orNull: identity?.subject.rawValue), .text(line.transferSubject), .time(moment),
            ]) > 0
    }
}

extension SQLStatement {
    fileprivate static let findDeletedAccount: Self = """
        SELECT id FROM audit
        WHERE account_id = ?1 AND event IN (?2, ?3) AND NOT EXISTS (SELECT a.id FROM accounts a WHERE a.id = ?1)
        LIMIT 1
        """
    fileprivate static let findTakenAccount: Self = """
        SELECT id FROM accounts WHERE id = ?1
        UNION ALL
        SELECT id FROM transfers WHERE account_id = ?1 AND target = ?2
        LIMIT 1
        """
    /// Apple has refused to give the sending team here a transfer subject, and has given it to the sender of the file.
    fileprivate static let completeExport: Self = """
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
