import AccountDatabase
import AppleIDTypes

/// The entries of the outbox that one task works on.
package enum OutboxLane: Hashable, Sendable, CaseIterable {
    /// Codes expire within minutes, so they don't wait behind the other entries.
    case codes
    case others
}

/// The outcome of an attempt at an entry.
package enum OutboxOutcome: Hashable, Sendable {
    case done
    /// The code is redeemed. The refresh token that Apple gave is kept for the entry's identity, or revoked if the identity is
    /// gone. If the entry has no identity, its owner finds one.
    case redeemed(AppleToken?, of: TokenOwner? = nil)
    /// Apple has redeemed a code, and its answer can be verified later. The sealed value is a ``WaitingCode`` with the answer,
    /// which replaces the one without it.
    case answered(sealed: [UInt8], verifyAt: Timestamp, failure: String)
    /// Nothing can be done any more.
    case expired(failure: String)
    case again(at: Timestamp, failure: String)
    case parked(failure: String)
}

extension AccountTransactions {
    /// Inserts an entry, unless it is there already.
    package func insertIntoOutbox(_ entry: OutboxEntry) async throws {
        try await write { connection in
            // The first attempt may have inserted it although its outcome was unknown.
            guard try !connection.returnsRow(.outboxEntry, [.id(entry.id)]) else { return }
            try connection.insertOutbox(entry)
        }
    }

    /// Leases waiting entries that are due and that no server has leased, or whose lease is over; the longest due first. Each
    /// lease counts as an attempt.
    package func leaseOutbox(_ lease: QueueLease, on lane: OutboxLane) async throws -> [OutboxEntry] {
        // Most looks find nothing: those cost no write.
        let isAnyDue = try await read { try $0.returnsRow(lane.anyDue, [.time(lease.at)]) }
        guard isAnyDue else { return [] }
        return try await write { connection in
            try connection.query(
                lane.take,
                [.time(lease.at), .time(lease.until), .text(lease.owner), .int64(Int64(max(0, lease.limit)))]
            ) { try $0.outboxEntry() }
        }
    }

    /// Parked entries, oldest first.
    package func parkedInOutbox(limit: Int) async throws -> [OutboxEntry] {
        try await read { connection in
            try connection.query(.parked, [.int64(Int64(max(0, limit)))]) { try $0.outboxEntry() }
        }
    }

    /// Lets every parked entry be tried again, now and for as long as a new one, and appends each to the audit.
    /// - Parameter limit: the greatest number of entries in one transaction.
    /// - Returns: how many there were.
    package func retryParked(
        at: Timestamp, by actor: AuditActor, limit: Int = AccountTransactions.retriesAtOnce
    ) async throws -> Int {
        // One transaction for a hundred thousand entries would hold up the sign-ins behind it, or take too long.
        var (count, last) = (0, "")
        while true {
            let page: [SQLValue] = try [.time(at), .text(last), .int64(Int64(max(1, limit)))]
            let ids = try await write { connection in
                let ids = try connection.query(.retryParked, page) { try $0.text() }
                for id in ids {
                    try connection.append(AuditEntry(.outboxRetried, at: at, by: actor, account: nil, subject: id))
                }
                return ids
            }
            guard let end = ids.max() else { return count }
            (count, last) = (count + ids.count, end)
            try Task.checkCancellation()
        }
    }

    /// The maximum number of parked entries, notices for hooks, or mails that one transaction makes due again.
    package static let retriesAtOnce = 500

    /// Writes the outcome of an attempt.
    ///
    /// An entry that was withdrawn meanwhile stays withdrawn, unless it is done after all. The token of a withdrawn code is
    /// forgotten.
    ///
    /// Apple redeems a code once. So the token of any other code is kept or revoked, even if another server has taken the
    /// entry since, or given it up. It is revoked at once if its person has wanted that. It is revoked after
    /// ``OutboxEntry/unusedTokenDelay`` if the person has no account, because they may be about to sign in. An answer of
    /// Apple's that can't be verified yet replaces the code in its entry, likewise whoever has the entry.
    /// - Returns: false if nothing was written. That is so if another server has leased the entry since, and the outcome has
    ///   no token and no answer that must be taken in all the same.
    package func endOutboxAttempt(
        _ id: OutboxID, owner: String, _ outcome: OutboxOutcome, at: Timestamp
    ) async throws -> Bool {
        try await write { connection in
            try connection.endOutboxAttempt(id, owner: owner, outcome, at: at)
        }
    }
}

extension SQLConnection {
    fileprivate func endOutboxAttempt(
        _ id: OutboxID, owner: String, _ outcome: OutboxOutcome, at: Timestamp
    ) throws -> Bool {
        let entry: OutboxEntry?
        switch outcome {
        case .again(let next, let failure):
            entry = try changed(by: .tryLater, [.id(id), .text(owner), .text(failure), .time(next)])
        case .parked(let failure):
            entry = try changed(by: .park, [.id(id), .text(owner), .text(failure)])
        case .expired(let failure):
            entry = try changed(by: .giveUp, [.id(id), .text(owner), .text(failure), .time(at)])
        case .done:
            entry = try changed(by: .finish, [.id(id), .text(owner), .time(at)])
        case .answered(let sealed, let next, let failure):
            entry = try changed(by: .keepAnswer, [.id(id), .text(owner), .text(failure), .time(next), .bytes(sealed)])
        case .redeemed(let token, let person):
            let identity = try lockedIdentity(ofEntry: id, person)
            let own = try changed(by: .finishWaiting, [.id(id), .text(owner), .time(at)])
            guard let token else {
                entry = own
                break
            }
            entry = try own ?? changed(by: .finishOverdue, [.id(id), .time(at)])
            if let entry { try keepLate(token, for: entry, person, identity, at: at) }
        }
        if let entry, !entry.state.isOpen, let deletion = entry.deletionHash {
            try closeDeletion(deletion, at: at)
        }
        return entry != nil
    }

    fileprivate func changed(by statement: SQLStatement, _ values: [SQLValue]) throws -> OutboxEntry? {
        try first(statement, values) { try $0.outboxEntry() }
    }

    func insertOutbox(_ entry: OutboxEntry) throws {
        try execute(
            .insertOutbox,
            [
                .id(entry.id), .text(entry.kind), .text(entry.state.rawValue),
                .text(orNull: entry.clientID?.rawValue), entry.sealed.map(SQLValue.bytes) ?? .null,
                entry.personHash.map(SQLValue.hash) ?? .null, .id(orNull: entry.identityID),
                entry.deletionHash.map(SQLValue.hash) ?? .null, .int64(entry.attempts), .time(entry.createdAt),
                .time(entry.waitingSince), .time(entry.nextAttemptAt), .text(orNull: entry.failure),
                .int64(orNull: entry.finishedAt?.microseconds),
            ])
    }
}

extension OutboxLane {
    fileprivate var anyDue: SQLStatement {
        switch self {
        case .codes: .anyCodeDue
        case .others: .anyOtherDue
        }
    }

    fileprivate var take: SQLStatement {
        switch self {
        case .codes: .leaseCodes
        case .others: .leaseOthers
        }
    }
}

extension SQLColumns {
    mutating func outboxEntry() throws -> OutboxEntry {
        let (id, kind) = try (word(OutboxID.self), word(OutboxEntry.Kind.self))
        let state = try word(OutboxEntry.State.self)
        let clientID = try optionalText().map { ClientID($0) }
        let sealed = try optionalBytes()
        let personHash = try optionalBytes().map(TokenHash.init(bytes:))
        let identityID = try optionalText().map(IdentityID.init(rawValue:))
        let deletionHash = try optionalBytes().map(TokenHash.init(bytes:))
        return try OutboxEntry(
            id: id, kind: kind, state: state, clientID: clientID, sealed: sealed, personHash: personHash,
            identityID: identityID, deletionHash: deletionHash, attempts: int64(), createdAt: time(),
            waitingSince: time(), nextAttemptAt: time(), failure: optionalText(), finishedAt: optionalTime())
    }
}

extension SQLStatement {
    static let outboxEntry: Self = "SELECT \(outboxColumns) FROM outbox WHERE id = ?1"
    private static let isDue: Self = "state = 'waiting' AND next_attempt_at <= ?1 AND leased_until <= ?1"
    private static let isCode: Self = "\(isDue) AND kind = 'code'"
    private static let isOther: Self = "\(isDue) AND kind <> 'code'"
    fileprivate static let anyCodeDue: Self = "SELECT id FROM outbox WHERE \(isCode) LIMIT 1"
    fileprivate static let anyOtherDue: Self = "SELECT id FROM outbox WHERE \(isOther) LIMIT 1"
    fileprivate static let leaseCodes = leasing(isCode)
    fileprivate static let leaseOthers = leasing(isOther)

    /// The condition is there twice: another server may lease or postpone a row between the look and the update.
    private static func leasing(_ condition: Self) -> Self {
        """
        UPDATE outbox SET leased_until = ?2, owner = ?3, attempts = attempts + 1, asked_at = ?1
        WHERE \(condition) AND id IN (SELECT id FROM outbox WHERE \(condition) ORDER BY next_attempt_at LIMIT ?4)
        RETURNING \(outboxColumns)
        """
    }
    fileprivate static let parked: Self = """
        SELECT \(outboxColumns) FROM outbox WHERE state = 'parked' ORDER BY created_at, id LIMIT ?1
        """
    fileprivate static let retryParked: Self = """
        UPDATE outbox SET state = 'waiting', waiting_since = ?1, next_attempt_at = ?1, leased_until = 0
        WHERE id IN (SELECT id FROM outbox WHERE state = 'parked' AND id > ?2 ORDER BY id LIMIT ?3) AND state = 'parked'
        RETURNING id
        """
    fileprivate static let tryLater: Self = """
        UPDATE outbox SET failure = ?3, next_attempt_at = ?4, leased_until = 0
        WHERE id = ?1 AND owner = ?2 AND state = 'waiting' RETURNING \(outboxColumns)
        """
    fileprivate static let park: Self = """
        UPDATE outbox SET state = 'parked', failure = ?3, leased_until = 0
        WHERE id = ?1 AND owner = ?2 AND state = 'waiting' RETURNING \(outboxColumns)
        """
    fileprivate static let giveUp: Self = """
        UPDATE outbox SET state = 'expired', failure = ?3, finished_at = ?4, sealed = NULL, leased_until = 0
        WHERE id = ?1 AND owner = ?2 AND state = 'waiting' RETURNING \(outboxColumns)
        """
    /// Stores Apple's answer even if the lease has expired and another server has given up the code or asks about it
    /// again. If a revocation was ordered meanwhile, the entry gives up its identity.
    fileprivate static let keepAnswer: Self = """
        UPDATE outbox SET state = 'waiting', owner = ?2, failure = ?3, next_attempt_at = ?4, sealed = ?5,
            leased_until = 0, finished_at = NULL,
            identity_id = CASE WHEN ordered_at IS NULL THEN identity_id ELSE NULL END
        WHERE id = ?1 AND kind = 'code' AND state IN ('waiting', 'parked', 'expired') RETURNING \(outboxColumns)
        """
    fileprivate static let finish: Self = """
        UPDATE outbox SET state = 'done', failure = NULL, finished_at = ?3, sealed = NULL, leased_until = 0
        WHERE id = ?1 AND owner = ?2 AND state IN ('waiting', 'withdrawn') RETURNING \(outboxColumns)
        """
    /// Leaves a withdrawn code as it is: nobody keeps the tokens that it brings.
    fileprivate static let finishWaiting: Self = """
        UPDATE outbox SET state = 'done', failure = NULL, finished_at = ?3, sealed = NULL, leased_until = 0
        WHERE id = ?1 AND owner = ?2 AND state = 'waiting' RETURNING \(outboxColumns)
        """
    /// Finishes a code whose lease ran out before Apple's answer came, so that another server has the entry, or has given the
    /// code up.
    fileprivate static let finishOverdue: Self = """
        UPDATE outbox SET state = 'done', failure = NULL, finished_at = ?2, sealed = NULL, leased_until = 0
        WHERE id = ?1 AND kind = 'code' AND state IN ('waiting', 'parked', 'expired') RETURNING \(outboxColumns)
        """

    /// The columns of an entry, as ``SQLColumns/outboxEntry()`` takes them and ``SQLConnection/insertOutbox(_:)`` gives
    /// them.
    static let outboxColumns: Self = """
        id, kind, state, client_id, sealed, person_hash, identity_id, deletion_hash, attempts, created_at,
        waiting_since, next_attempt_at, failure, finished_at
        """
    fileprivate static let insertOutbox: Self = """
        INSERT INTO outbox (\(outboxColumns), leased_until)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, 0)
        """
}
