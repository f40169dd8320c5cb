import AccountDatabase

extension AccountTransactions {
    /// Looks at the next rows of a table, in the order of its key, and removes those whose time ended at a moment or
    /// before.
    /// - Parameters:
    ///   - last: how far the call before came; nil begins.
    ///   - limit: how many rows are looked at.
    /// - Returns: where to go on, or nil at the end.
    package func sweep(
        _ table: KeyOrderSweep, after last: KeyOrderSweep.Row?, endedBy moment: Timestamp, limit: Int
    ) async throws -> KeyOrderSweep.Row? {
        let rows = try await read { connection in
            let key = try (last ?? table.first).values
            return try connection.query(table.next, key + [.int64(Int64(max(1, limit)))]) { columns in
                try (key: KeyOrderSweep.Row(of: table, &columns), end: columns.time())
            }
        }
        let over = rows.filter { $0.end <= moment }.map(\.key)
        if !over.isEmpty {
            try await write { connection in
                for row in over { try connection.execute(table.remove, row.values + [.time(moment)]) }
            }
        }
        return rows.count < limit ? nil : rows.last?.key
    }
}

extension KeyOrderSweep {
    /// Sorts before every row.
    fileprivate var first: Row {
        switch self {
        case .spent: .spent(kind: "", hash: [])
        case .events: .event(account: "", revision: 0)
        case .sessions: .session("")
        }
    }

    /// Key and end of the rows after one.
    fileprivate var next: SQLStatement {
        switch self {
        case .spent: .nextUsedCredential
        case .events: .nextEvents
        case .sessions: .nextSessions
        }
    }

    /// One row, if its time is still over.
    fileprivate var remove: SQLStatement {
        switch self {
        case .spent: .removeUsedCredential
        case .events: .removeEvent
        case .sessions: .removeSession
        }
    }
}

extension KeyOrderSweep.Row {
    fileprivate init(of table: KeyOrderSweep, _ columns: inout SQLColumns) throws {
        switch table {
        case .spent: self = try .spent(kind: columns.text(), hash: columns.bytes())
        case .events: self = try .event(account: columns.text(), revision: columns.int64())
        case .sessions: self = try .session(columns.text())
        }
    }

    fileprivate var values: [SQLValue] {
        get throws {
            switch self {
            case .spent(let kind, let hash): try [.text(kind), .bytes(hash)]
            case .event(let account, let revision): try [.text(account), .int64(revision)]
            case .session(let id): try [.text(id)]
            }
        }
    }
}

/// A table that is swept by walking through it.
///
/// Every sign-in writes to each of these, and an index by time would cost it more than a walk does once in a while.
package enum KeyOrderSweep: CaseIterable, Sendable {
    /// Notes of things that were used up, eleven minutes each.
    case spent
    /// Events of accounts, a month each.
    case events
    /// Sessions; those that have ended early are also found by their end.
    case sessions

    /// The key of a row that a walk has come to.
    package enum Row: Hashable, Sendable {
        case spent(kind: String, hash: [UInt8])
        case event(account: String, revision: Int64)
        case session(String)
    }

    /// How often it is walked through.
    var interval: Duration {
        switch self {
        case .spent: CredentialVerifier.usedCredentialLifetime
        case .events, .sessions: .days(1)
        }
    }

    /// For how long a row is kept after its time.
    var retention: Duration {
        switch self {
        case .spent, .events: .zero
        case .sessions: Sweeper.sessionRetention
        }
    }
}

extension SQLStatement {
    fileprivate static let nextUsedCredential: Self = """
        SELECT kind, hash, expires_at FROM spent WHERE (kind, hash) > (?1, ?2) ORDER BY kind, hash LIMIT ?3
        """
    fileprivate static let nextEvents: Self = """
        SELECT account_id, revision, expires_at FROM account_events
        WHERE (account_id, revision) > (?1, ?2) ORDER BY account_id, revision LIMIT ?3
        """
    fileprivate static let nextSessions: Self = "SELECT id, expires_at FROM sessions WHERE id > ?1 ORDER BY id LIMIT ?2"
    fileprivate static let removeUsedCredential: Self =
        "DELETE FROM spent WHERE kind = ?1 AND hash = ?2 AND expires_at <= ?3"
    fileprivate static let removeEvent: Self = """
        DELETE FROM account_events WHERE account_id = ?1 AND revision = ?2 AND expires_at <= ?3
        """
    fileprivate static let removeSession: Self = "DELETE FROM sessions WHERE id = ?1 AND expires_at <= ?2"
}
