public import AccountService

extension SQLAccountStore {
    public func rotateServerKeys(_ rotation: ServerKeyRotation) async throws -> Bool {
        let new = rotation.newNext
        return try await database.write { connection in
            // Who retires the key has its row's lock until the end, and whoever comes second finds none.
            let purpose = try SQLValue.text(new.purpose)
            let isOurs = try connection.execute(
                .retireServerKey, [.id(rotation.active), purpose, .time(rotation.at)])
            guard isOurs > 0 else { return false }
            let activated = try connection.first(.activateServerKey, [purpose]) { try $0.word(ServerKeyID.self) }
            guard let activated else {
                throw AccountError(.configuration, "the store has no next key to make the active one")
            }
            try connection.execute(
                .insertNextServerKey,
                [.id(new.id), purpose, .text(ServerKey.State.next), .bytes(new.sealed), .time(new.createdAt)])
            try connection.execute(.forgetServerKeys, [.time(rotation.forgetBefore)])
            try connection.append(
                AuditEntry(
                    .keysRotated, at: rotation.at, by: rotation.actor, account: nil, subject: activated.rawValue,
                    detail: new.purpose.rawValue))
            return true
        }
    }

    public func removeServerKeys(retiredBefore moment: Timestamp) async throws -> Int {
        try await database.write { try $0.execute(.forgetServerKeys, [.time(moment)]) }
    }
}

extension SQLStatement {
    fileprivate static let retireServerKey: Self = """
        UPDATE server_keys SET state = 'retired', retired_at = ?3
        WHERE id = ?1 AND purpose = ?2 AND state = 'active'
        """
    fileprivate static let activateServerKey: Self = """
        UPDATE server_keys SET state = 'active' WHERE purpose = ?1 AND state = 'next' RETURNING id
        """
    fileprivate static let insertNextServerKey: Self = """
        INSERT INTO server_keys (id, purpose, state, sealed, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
        """
    fileprivate static let forgetServerKeys: Self = """
        DELETE FROM server_keys WHERE state = 'retired' AND retired_at < ?1
        """
}
