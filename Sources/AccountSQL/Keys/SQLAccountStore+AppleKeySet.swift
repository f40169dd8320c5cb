public import AccountService

extension SQLAccountStore {
    public func appleKeySet() async throws -> KeptKeySet? {
        try await database.read { connection in
            try connection.first(.appleKeySet, []) { columns in
                try KeptKeySet(json: columns.bytes(), fetchedAt: columns.time())
            }
        }
    }

    public func keepAppleKeySet(_ keySet: KeptKeySet) async throws {
        _ = try await database.write { connection in
            try connection.execute(.keepAppleKeySet, [.bytes(keySet.json), .time(keySet.fetchedAt)])
        }
    }
}

extension SQLStatement {
    fileprivate static let appleKeySet: Self = "SELECT json, fetched_at FROM apple_key_set WHERE singleton = 1"
    /// Of two servers' sets the one fetched last stays, in whichever order they arrive.
    fileprivate static let keepAppleKeySet: Self = """
        INSERT INTO apple_key_set (singleton, json, fetched_at) VALUES (1, ?1, ?2)
        ON CONFLICT (singleton) DO UPDATE SET json = excluded.json, fetched_at = excluded.fetched_at
        WHERE apple_key_set.fetched_at <= excluded.fetched_at
        """
}
