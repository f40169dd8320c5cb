public import AccountService

extension SQLAccountStore {
    public func endNextDeadGrant(foundBefore: Timestamp, at: Timestamp) async throws -> DeadGrant? {
        try await database.write { connection in
            guard let found = try connection.first(.nextDeadToken, [.time(foundBefore)], decode: { try DeadToken(&$0) })
            else { return nil }
            // Raising the revision locks the account; then it is looked again.
            try connection.execute(.raiseForGrant, [.id(found.account)])
            guard try connection.execute(.dropToken, [.id(found.token)]) > 0 else {
                return DeadGrant(account: found.account, identity: found.identity, endedAccess: false)
            }
            let isReplaced = try connection.returnsRow(
                .findLaterGrant, [.id(found.identity), .time(found.obtainedAt), .time(found.foundAt)])
            if !isReplaced {
                try connection.endAppleAccess(
                    of: found.identity, of: found.account, endedAt: found.foundAt, at: at, reason: .appleGrantDead)
            }
            return DeadGrant(account: found.account, identity: found.identity, endedAccess: !isReplaced)
        }
    }
}

private struct DeadToken {
    var token: AppleTokenID
    var identity: IdentityID
    var account: AccountID
    var obtainedAt: Timestamp
    var foundAt: Timestamp

    init(_ columns: inout SQLColumns) throws {
        token = try columns.word()
        identity = try columns.word()
        account = try columns.word()
        obtainedAt = try columns.time()
        foundAt = try columns.time()
    }
}

extension SQLStatement {
    fileprivate static let nextDeadToken: Self = """
        SELECT t.id, t.identity_id, i.account_id, t.obtained_at, t.found_dead_at
        FROM apple_tokens t JOIN identities i ON i.id = t.identity_id
        WHERE t.found_dead_at <= ?1 AND t.client_id NOT IN (SELECT client_id FROM stopped_checks)
        ORDER BY t.found_dead_at LIMIT 1
        """
    fileprivate static let raiseForGrant: Self = "UPDATE accounts SET revision = revision + 1 WHERE id = ?1"
    fileprivate static let dropToken: Self = "DELETE FROM apple_tokens WHERE id = ?1 AND found_dead_at IS NOT NULL"
    /// Another client's token that is later and not dead, or a sign-in since the death was found, speaks for the
    /// person. An end that is known already needs no second.
    fileprivate static let findLaterGrant: Self = """
        SELECT i.id FROM identities i WHERE i.id = ?1 AND (
            i.last_authorized_at > ?3 OR i.access_ended_at IS NOT NULL OR EXISTS (
                SELECT t.id FROM apple_tokens t
                WHERE t.identity_id = i.id AND t.found_dead_at IS NULL AND t.obtained_at > ?2))
        """
}
