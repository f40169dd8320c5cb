import AccountDatabase
package import AppleIDTypes

extension AccountTransactions {
    /// Takes on loan the tokens of a client that are due and on loan to nobody: none while the client's check is
    /// stopped.
    package func claimTokenChecks(
        of client: ClientID, at: Timestamp, leasedUntil: Timestamp, limit: Int
    ) async throws -> [TokenCheck] {
        try await write { connection in
            guard try !connection.returnsRow(.findStop, [.text(client)]) else { return [] }
            try connection.spreadChecks(of: client, at: at)
            let claimed = try connection.query(
                .claimChecks, [.text(client), .time(at), .time(leasedUntil), .int64(Int64(max(0, limit)))]
            ) { columns in
                try (
                    token: AppleToken(
                        id: columns.word(), clientID: columns.word(), sealed: columns.bytes(),
                        obtainedAt: columns.time()),
                    identity: columns.word(IdentityID.self)
                )
            }
            return try claimed.compactMap { claim in
                try connection.first(.personOfToken, [.id(claim.identity)]) { columns in
                    try TokenCheck(
                        token: claim.token, identity: claim.identity, team: columns.word(), subject: columns.word())
                }
            }
        }
    }

    /// Notes what came of a check, and when the next is due, unless a sign-in has replaced the token meanwhile: as
    /// ``CheckRules/next(after:due:)`` has it, or ``CheckRules/retry`` later where nothing is known.
    ///
    /// A death waits for ``CheckRules/window``. When ``CheckRules`` finds too many of the client's within that time,
    /// the client's check is stopped and its deaths are forgotten. Deaths that are found while it is stopped count for
    /// nothing.
    package func endTokenCheck(
        _ token: AppleToken, _ result: TokenCheckResult, at: Timestamp
    ) async throws -> TokenCheckSettlement {
        try await write { connection in
            let id = try SQLValue.id(token.id)
            let due = try connection.first(.dueTime, [id, .time(at)]) { try $0.time() }
            let tomorrow = SQLValue.time(CheckRules.next(after: at, due: due ?? at))
            // One death after the other: of several at once, each would count without the rest.
            if result == .dead { try connection.execute(.lockDeaths) }
            let isStopped = try connection.returnsRow(.findStop, [.text(token.clientID)])
            switch result {
            case .alive(nil):
                try connection.execute(.noteAlive, [id, .time(at), tomorrow])
            case .alive(let sealed?):
                try connection.execute(.noteAliveAndReplace, [id, .time(at), tomorrow, .bytes(sealed)])
            case .unusable:
                try connection.execute(.noteUnknown, [id, tomorrow])
            case .unknown:
                try connection.execute(.noteUnknown, [id, .time(at + CheckRules.retry)])
            case .dead where isStopped:
                // It will be found again, if it is dead, when the client's check goes on.
                try connection.execute(.noteUnknown, [id, tomorrow])
            case .dead where try connection.isFromBeforeTransfer(token.id):
                try connection.execute(.forgetToken, [id])
            case .dead:
                guard try connection.execute(.noteDead, [id, .time(at), tomorrow]) > 0 else { return .goesOn }
                if let stop = try connection.stopChecks(of: token.clientID, at: at) { return .stops(stop) }
            }
            return isStopped ? .isStopped : .goesOn
        }
    }

    package func stoppedChecks() async throws -> [CheckStop] {
        try await read { connection in
            try connection.query(.stoppedChecks, []) { columns in
                try CheckStop(
                    clientID: columns.word(), at: columns.time(), checked: columns.int64(), died: columns.int64())
            }
        }
    }

    /// Lets a client's check go on, and appends that to the audit; deaths found before are forgotten.
    /// - Returns: whether it was stopped.
    package func resumeChecks(of client: ClientID, at: Timestamp, by actor: AuditActor) async throws -> Bool {
        try await write { connection in
            try connection.execute(.lockDeaths)
            guard try connection.execute(.resumeChecks, [.text(client)]) > 0 else { return false }
            try connection.execute(.forgetDeaths, [.text(client)])
            try connection.append(
                AuditEntry(.dailyCheckResumed, at: at, by: actor, account: nil, subject: client.rawValue))
            return true
        }
    }

    /// Forgets the token that has been dead longest, if it was found so before a moment and its client's check is not
    /// stopped, and ends the access of its identity, as an end of consent does. Not so when the person has authorized
    /// the app again: signed in since, or with a later token of another client.
    /// - Returns: nil when there is none.
    package func endNextDeadGrant(foundBefore: Timestamp, at: Timestamp) async throws -> DeadGrant? {
        try await lockingPeople { connection in
            guard let found = try connection.first(.nextDeadToken, [.time(foundBefore)], decode: { try DeadToken(&$0) })
            else { return nil }
            // Raising the revision locks the account; then it is looked again.
            try connection.lock(account: found.account)
            let account = try connection.first(.accountOfToken, [.id(found.token)]) { try $0.word(AccountID.self) }
            // A merge may have moved the identity while this transaction waited.
            guard account == nil || account == found.account else { throw PersonNotLocked() }
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

extension SQLConnection {
    /// Gives tokens from before there were checks a time within the next day, by their identifiers.
    fileprivate func spreadChecks(of client: ClientID, at: Timestamp) throws {
        let ids = try query(.tokensWithoutCheck, [.text(client)]) { try $0.word(AppleTokenID.self) }
        for id in ids {
            // FNV-1a: the same whenever the body runs.
            let hash = id.rawValue.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            try execute(.setCheck, [.id(id), .time(at + .seconds(Int64(hash % 86_400)))])
        }
    }

    /// Stops a client's check when too many of its tokens died within the window; then none that waits to end sessions
    /// does.
    fileprivate func stopChecks(of client: ClientID, at: Timestamp) throws -> CheckStop? {
        let counts = try first(.countChecks, [.text(client), .time(at - CheckRules.window)]) { columns in
            try (checked: columns.int64(), died: columns.int64())
        }
        guard let counts, CheckRules.isTooMany(died: counts.died, of: counts.checked) else { return nil }
        try execute(.stopChecks, [.text(client), .time(at), .int64(counts.checked), .int64(counts.died)])
        try execute(.forgetDeaths, [.text(client)])
        try append(
            AuditEntry(.dailyCheckStopped, at: at, by: .service(), account: nil, subject: client.rawValue))
        return CheckStop(clientID: client, at: at, checked: counts.checked, died: counts.died)
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
    fileprivate static let findStop: Self = "SELECT client_id FROM stopped_checks WHERE client_id = ?1"
    fileprivate static let tokensWithoutCheck: Self = """
        SELECT id FROM apple_tokens WHERE client_id = ?1 AND next_check_at IS NULL LIMIT 200
        """
    fileprivate static let setCheck: Self = "UPDATE apple_tokens SET next_check_at = ?2 WHERE id = ?1"
    private static let isDue: Self = """
        client_id = ?1 AND next_check_at <= ?2 AND (check_leased_until IS NULL OR check_leased_until <= ?2)
            AND found_dead_at IS NULL
        """
    /// The condition is repeated outside: of two servers that found the same rows, the second finds them taken.
    fileprivate static let claimChecks: Self = """
        UPDATE apple_tokens SET check_leased_until = ?3
        WHERE id IN (SELECT id FROM apple_tokens WHERE \(isDue) ORDER BY next_check_at LIMIT ?4) AND \(isDue)
        RETURNING id, client_id, sealed, obtained_at, identity_id
        """
    fileprivate static let personOfToken: Self = "SELECT team, subject FROM identities WHERE id = ?1"
    fileprivate static let forgetToken: Self = "DELETE FROM apple_tokens WHERE id = ?1"
    fileprivate static let dueTime: Self = "SELECT coalesce(next_check_at, ?2) FROM apple_tokens WHERE id = ?1"
    fileprivate static let noteAlive: Self = """
        UPDATE apple_tokens SET last_checked_at = ?2, next_check_at = ?3, check_leased_until = NULL WHERE id = ?1
        """
    fileprivate static let noteAliveAndReplace: Self = """
        UPDATE apple_tokens SET last_checked_at = ?2, next_check_at = ?3, check_leased_until = NULL, sealed = ?4
        WHERE id = ?1
        """
    fileprivate static let noteUnknown: Self = """
        UPDATE apple_tokens SET next_check_at = ?2, check_leased_until = NULL WHERE id = ?1
        """
    /// A row that every store has, and that nobody changes.
    fileprivate static let lockDeaths: Self = "UPDATE belongs_to SET apple = apple WHERE singleton = 1"
    fileprivate static let noteDead: Self = """
        UPDATE apple_tokens SET last_checked_at = ?2, next_check_at = ?3, check_leased_until = NULL,
            found_dead_at = ?2
        WHERE id = ?1 AND found_dead_at IS NULL
        """
    fileprivate static let countChecks: Self = """
        SELECT count(*), count(found_dead_at) FROM apple_tokens WHERE client_id = ?1 AND last_checked_at > ?2
        """
    fileprivate static let stopChecks: Self = """
        INSERT INTO stopped_checks (client_id, stopped_at, checked, died) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (client_id) DO NOTHING
        """
    fileprivate static let forgetDeaths: Self = """
        UPDATE apple_tokens SET found_dead_at = NULL WHERE client_id = ?1 AND found_dead_at IS NOT NULL
        """
    fileprivate static let stoppedChecks: Self = """
        SELECT client_id, stopped_at, checked, died FROM stopped_checks ORDER BY client_id
        """
    fileprivate static let resumeChecks: Self = "DELETE FROM stopped_checks WHERE client_id = ?1"

    fileprivate static let nextDeadToken: Self = """
        SELECT t.id, t.identity_id, i.account_id, t.obtained_at, t.found_dead_at
        FROM apple_tokens t JOIN identities i ON i.id = t.identity_id
        WHERE t.found_dead_at <= ?1 AND t.client_id NOT IN (SELECT client_id FROM stopped_checks)
        ORDER BY t.found_dead_at LIMIT 1
        """
    fileprivate static let accountOfToken: Self = """
        SELECT i.account_id FROM apple_tokens t JOIN identities i ON i.id = t.identity_id WHERE t.id = ?1
        """
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
