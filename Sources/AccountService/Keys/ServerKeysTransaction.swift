import AccountDatabase

extension AccountTransactions {
    /// This server's own keys, oldest first.
    package func serverKeys() async throws -> [ServerKey] {
        try await read { try $0.serverKeys() }
    }

    /// Inserts those of the keys whose (purpose, state) is not there yet, so that two servers which start at once
    /// agree.
    /// - Returns: all keys then stored, oldest first.
    package func insertMissingServerKeys(_ keys: [ServerKey]) async throws -> [ServerKey] {
        try await write { connection in
            var present = try Set(connection.serverKeys().map(Place.init))
            for key in keys where present.insert(Place(key)).inserted {
                // Another server may have inserted its own since: the unique index decides.
                try connection.execute(
                    .insertServerKey,
                    [.id(key.id), .text(key.purpose), .text(key.state), .bytes(key.sealed), .time(key.createdAt)])
            }
            return try connection.serverKeys()
        }
    }
}

/// The purpose and state by which keys are compared.
private struct Place: Hashable {
    let purpose: ServerKey.Purpose
    let state: ServerKey.State

    init(_ key: ServerKey) {
        purpose = key.purpose
        state = key.state
    }
}

extension SQLConnection {
    fileprivate func serverKeys() throws -> [ServerKey] {
        try query(.serverKeys, []) { columns in
            try ServerKey(
                id: columns.word(), purpose: columns.word(), state: columns.word(), sealed: columns.bytes(),
                createdAt: columns.time(), retiredAt: columns.optionalTime())
        }
    }
}

extension SQLStatement {
    fileprivate static let serverKeys: Self = """
        SELECT id, purpose, state, sealed, created_at, retired_at FROM server_keys ORDER BY created_at, id
        """
    fileprivate static let insertServerKey: Self = """
        INSERT INTO server_keys (id, purpose, state, sealed, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (purpose, state) WHERE state <> 'retired' DO NOTHING
        """
}
