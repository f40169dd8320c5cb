import AccountService
import AppleIDTypes

extension SQLStatement {
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

extension SQLConnection {
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
