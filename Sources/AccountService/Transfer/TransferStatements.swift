import AccountDatabase
package import AppleIDTypes

/// A person about whom nobody has asked Apple for a transfer.
package struct PersonNotAsked: Hashable, Sendable {
    package var identity: IdentityID
    package var account: AccountID
}

extension AccountTransactions {
    /// Counts how far the transfer to a team is.
    package func transferCounts(to target: TeamID) async throws -> TransferCounts {
        try await read { connection in
            var counts = TransferCounts()
            try connection.query(.transferCounts, [.text(target)]) { columns in
                try (
                    state: columns.text(as: "a state", PersonTransfer.State.init(rawValue:)),
                    failure: columns.optionalText().map(TransferFailure.init(rawValue:)), count: Int(columns.int64())
                )
            }.forEach { row in
                switch row.state {
                case .exported: counts.exported += row.count
                case .moved: counts.moved += row.count
                case .failed: counts.failed[row.failure ?? .appleRefused, default: 0] += row.count
                }
            }
            counts.waiting =
                try connection.first(.countWithoutTransfer, [.text(target)]) { try Int($0.int64()) } ?? 0
            return counts
        }
    }

    /// At most `limit` people who are not moved to a team: failed ones, and those with a transfer subject. After one.
    package func peopleLeft(to target: TeamID, after last: TransferID?, limit: Int) async throws -> [PersonTransfer] {
        try await read { connection in
            try connection.query(
                .peopleLeft, [.text(target), .text(last?.rawValue ?? ""), .int64(Int64(max(0, limit)))]
            ) { try PersonTransfer(&$0) }
        }
    }

    /// At most `limit` people of other teams about whom nobody has asked Apple for a transfer to a team. After one.
    package func peopleNotAsked(
        to target: TeamID, after last: IdentityID?, limit: Int
    ) async throws -> [PersonNotAsked] {
        try await read { connection in
            try connection.query(
                .peopleNotAsked, [.text(target), .text(last?.rawValue ?? ""), .int64(Int64(max(0, limit)))]
            ) { try PersonNotAsked(identity: $0.word(), account: $0.word()) }
        }
    }

    /// Removes at most `limit` people who are not moved to a team: the transfer has not taken place, or they can't be
    /// moved any more. Identities stay as they are.
    /// - Returns: how many were removed.
    package func forgetTransfers(to target: TeamID, limit: Int) async throws -> Int {
        try await write { connection in
            try connection.execute(.forgetTransfers, [.text(target), .int64(Int64(max(0, limit)))])
        }
    }
}

extension PersonTransfer {
    /// Reads the columns of ``SQLStatement/transferColumns``.
    init(_ columns: inout SQLColumns) throws {
        try self.init(
            id: columns.word(), source: columns.word(), target: columns.word(), account: columns.word(),
            identity: columns.optionalText().map(IdentityID.init(rawValue:)), isReceived: columns.flag(),
            formerSubject: columns.optionalText().map { Subject($0) },
            transferSubject: columns.optionalText().map { Subject($0) },
            state: columns.text(as: "a state", State.init(rawValue:)),
            failure: columns.optionalText().map(TransferFailure.init(rawValue:)), updatedAt: columns.time(),
            movedAt: columns.optionalTime())
    }
}

extension SQLStatement {
    /// An identity may have come to another account since.
    static let transferColumns: Self = """
        id, source, target,
        coalesce((SELECT i.account_id FROM identities i WHERE i.id = transfers.identity_id), account_id),
        identity_id, is_received, former_subject, transfer_subject, state, failure, updated_at, moved_at
        """
    static let transferByID: Self = "SELECT \(transferColumns) FROM transfers WHERE id = ?1"
    static let transferBySubject: Self = """
        SELECT \(transferColumns) FROM transfers WHERE target = ?1 AND transfer_subject = ?2
        """
    static let transfersOfIdentity: Self = """
        SELECT \(transferColumns) FROM transfers WHERE identity_id = ?1 ORDER BY id
        """
    fileprivate static let transferCounts: Self = """
        SELECT state, failure, count(*) FROM transfers WHERE target = ?1 GROUP BY state, failure
        """
    /// The people of other teams who have no open row.
    private static let isNotAsked: Self = """
        FROM identities i
        WHERE i.provider = 'apple' AND i.team <> ?1 AND i.removed_at IS NULL AND NOT EXISTS (
            SELECT t.id FROM transfers t WHERE t.identity_id = i.id AND t.target = ?1 AND t.state <> 'moved')
        """
    fileprivate static let countWithoutTransfer: Self = "SELECT count(*) \(isNotAsked)"
    fileprivate static let peopleNotAsked: Self = """
        SELECT i.id, i.account_id \(isNotAsked) AND i.id > ?2 ORDER BY i.id LIMIT ?3
        """
    fileprivate static let forgetTransfers: Self = """
        DELETE FROM transfers WHERE state <> 'moved' AND id IN
            (SELECT id FROM transfers WHERE target = ?1 AND state <> 'moved' ORDER BY id LIMIT ?2)
        """
    fileprivate static let peopleLeft: Self = """
        SELECT \(transferColumns) FROM transfers WHERE target = ?1 AND state <> 'moved' AND id > ?2 ORDER BY id LIMIT ?3
        """
}
