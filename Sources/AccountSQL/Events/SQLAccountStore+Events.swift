public import AccountService

extension SQLAccountStore {
    public func accountEvents(
        of account: AccountID, after revision: Int64, limit: Int
    ) async throws -> [AccountEvent] {
        try await database.read { connection in
            try connection.events(
                of: account, after: revision, until: Timestamp(microseconds: .max), limit: limit)
        }
    }
}

extension SQLConnection {
    /// - Parameter until: the last moment of interest.
    func events(
        of account: AccountID, after revision: Int64, until: Timestamp, limit: Int
    ) throws -> [AccountEvent] {
        try query(
            .accountEvents, [.id(account), .int64(revision), .time(until), .int64(Int64(max(0, limit)))]
        ) { try AccountEvent(&$0) }
    }
}

extension AccountEvent {
    /// - Parameter columns: those of ``SQLStatement/eventColumns``.
    init(_ columns: inout SQLColumns) throws {
        try self.init(
            revision: columns.int64(), kind: columns.word(), at: columns.time(), about: columns.optionalText(),
            reason: columns.optionalText())
    }
}

extension SQLStatement {
    static let eventColumns: Self = "revision, kind, at, about, reason"
    fileprivate static let accountEvents: Self = """
        SELECT \(eventColumns) FROM account_events
        WHERE account_id = ?1 AND revision > ?2 AND at <= ?3 ORDER BY revision LIMIT ?4
        """
}
