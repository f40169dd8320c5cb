public import AccountService

extension SQLAccountStore {
    public func firstUsed(among spent: [Spent], at: Timestamp) async throws -> Spent.Kind? {
        try await database.read { connection in
            try spent.first { thing in
                try connection.returnsRow(.findSpent, [.text(thing.kind), .hash(thing.hash), .time(at)])
            }?.kind
        }
    }
}

extension SQLConnection {
    /// Notes that things are used, in their order: two transactions that spend the same things wait for each other in
    /// the same order too. A note that has expired is taken over.
    ///
    /// Throws `AccountError` with the code `alreadyUsed` at the first that was spent before.
    func spend(_ things: [Spent], at: Timestamp) throws {
        for thing in things {
            let touched = try execute(
                .spend, [.text(thing.kind), .hash(thing.hash), .time(thing.expiresAt), .time(at)])
            guard touched > 0 else {
                throw AccountError(.alreadyUsed, "This \(thing.kind.rawValue) was used before.", spent: thing.kind)
            }
        }
    }
}

extension SQLStatement {
    fileprivate static let findSpent: Self = """
        SELECT kind FROM spent WHERE kind = ?1 AND hash = ?2 AND expires_at > ?3
        """
    fileprivate static let spend: Self = """
        INSERT INTO spent (kind, hash, expires_at) VALUES (?1, ?2, ?3)
        ON CONFLICT (kind, hash) DO UPDATE SET expires_at = excluded.expires_at WHERE spent.expires_at <= ?4
        """
}
