import AccountDatabase
package import AppleIDTypes

extension AccountTransactions {
    /// At most `limit` people whom the receiving team asks Apple about, in the order of their ids, after one. Those
    /// who failed before are among them.
    func peopleToImport(
        to target: TeamID, _ part: TransferPart, after last: TransferID?, limit: Int
    ) async throws -> [PersonTransfer] {
        let statement: SQLStatement =
            switch part {
            case .latest: .latestToImport
            case .new: .newToImport
            case .failed: .failedToImport
            }
        return try await read { connection in
            try connection.query(
                statement, [.text(target), .text(last?.rawValue ?? ""), .int64(Int64(max(0, limit)))]
            ) { try PersonTransfer(&$0) }
        }
    }

    /// Whether somebody was moved to a team since a moment, from a team that others are still to be moved from.
    func hasMoved(to target: TeamID, since moment: Timestamp) async throws -> Bool {
        try await read { try $0.returnsRow(.findMoved, [.text(target), .time(moment)]) }
    }

    /// The transfer subjects of the people who were moved last, like ``hasMoved(to:since:)``.
    func lastMoved(to target: TeamID, since moment: Timestamp, limit: Int) async throws -> [Subject] {
        try await read { connection in
            try connection.query(.lastMoved, [.text(target), .time(moment), .int64(Int64(limit))]) { try $0.word() }
        }
    }

    package func countToImport(to target: TeamID) async throws -> Int {
        try await read { connection in
            try connection.first(.countToImport, [.text(target)]) { try Int($0.int64()) } ?? 0
        }
    }

    /// Keeps that Apple doesn't tell who a person is at the receiving team, unless they were moved meanwhile.
    func noteImportFailed(_ id: TransferID, _ failure: TransferFailure, at moment: Timestamp) async throws {
        try await write { connection in
            _ = try connection.execute(.noteImportFailed, [.id(id), .text(failure), .time(moment)])
        }
    }
}

extension SQLStatement {
    private static let isToImport: Self = """
        FROM transfers WHERE target = ?1 AND transfer_subject IS NOT NULL AND state <> 'moved'
        """
    fileprivate static let latestToImport: Self = """
        SELECT \(transferColumns) \(isToImport) AND state = 'exported' AND id > ?2
        ORDER BY coalesce((SELECT l.last_sign_in_at FROM identities l WHERE l.id = transfers.identity_id), 0) DESC,
            id DESC
        LIMIT ?3
        """
    fileprivate static let newToImport: Self = """
        SELECT \(transferColumns) \(isToImport) AND state = 'exported' AND id > ?2 ORDER BY id LIMIT ?3
        """
    fileprivate static let failedToImport: Self = """
        SELECT \(transferColumns) \(isToImport) AND state = 'failed' AND id > ?2 ORDER BY id LIMIT ?3
        """
    /// Apple answers about a transfer for sixty days. Rows of an earlier transfer say nothing about this one.
    private static let isMoved: Self = """
        FROM transfers
        WHERE target = ?1 AND state = 'moved' AND moved_at > ?2 AND source IN
            (SELECT w.source FROM transfers w
             WHERE w.target = ?1 AND w.transfer_subject IS NOT NULL AND w.state <> 'moved')
        """
    fileprivate static let lastMoved: Self = """
        SELECT transfer_subject \(isMoved) AND transfer_subject IS NOT NULL ORDER BY updated_at DESC LIMIT ?3
        """
    fileprivate static let findMoved: Self = "SELECT id \(isMoved) LIMIT 1"
    fileprivate static let countToImport: Self = "SELECT count(*) \(isToImport)"
    fileprivate static let noteImportFailed: Self = """
        UPDATE transfers SET state = 'failed', failure = ?2, updated_at = ?3 WHERE id = ?1 AND state <> 'moved'
        """
}
