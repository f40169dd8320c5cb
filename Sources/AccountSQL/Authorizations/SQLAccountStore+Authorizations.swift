public import AccountService
import AppleIDTypes

extension SQLAccountStore {
    public func insertAuthorization(
        _ authorization: StoredAuthorization, within limit: AuthorizationLimit
    ) async throws -> AuthorizationLimit.Outcome {
        try await database.write { connection in
            if let until = try connection.whenFree(limit, at: authorization.createdAt) {
                return .tooMany(until: until)
            }
            let device = authorization.device
            let isInserted = try connection.returnsRow(
                .insertAuthorization,
                [
                    .id(authorization.id), .text(authorization.app), .text(orNull: authorization.redirectURI),
                    device.map { .hash($0.deviceCodeHash) } ?? .null, device.map { .hash($0.userCodeHash) } ?? .null,
                    device.map { .duration($0.interval) } ?? .null, .hash(authorization.challenge),
                    .text(authorization.clientID), .text(authorization.scopes.map(\.rawValue).joined(separator: " ")),
                    .text(orNull: authorization.nonce), authorization.sealedState.map(SQLValue.bytes) ?? .null,
                    .text(authorization.address), .time(authorization.createdAt), .time(authorization.expiresAt),
                    .time(authorization.keptUntil), .text(limit.network),
                ])
            return isInserted ? .inserted : .taken
        }
    }

    public func authorization(_ id: AuthorizationID) async throws -> StoredAuthorization? {
        try await database.read { try $0.authorizationRow(.authorization, .id(id))?.stored }
    }

    public func authorization(deviceCode hash: TokenHash) async throws -> StoredAuthorization? {
        try await database.read { try $0.authorizationRow(.authorizationOfDeviceCode, .hash(hash))?.stored }
    }

    public func authorization(ownCode hash: TokenHash) async throws -> StoredAuthorization? {
        try await database.read { try $0.authorizationRow(.authorizationOfCode, .hash(hash))?.stored }
    }

    public func allowAuthorization(_ id: AuthorizationID, by attempt: Attempt, at: Timestamp) async throws -> Bool {
        try await database.write { connection in
            let isAllowed = try connection.execute(
                .allowAuthorization, [.id(id), .hash(attempt.browserHash), .time(at)])
            guard isAllowed > 0 else { return false }
            try connection.insertAttempt(attempt)
            return true
        }
    }

    public func finishAuthorization(
        _ id: AuthorizationID, with finish: AuthorizationFinish, browserHash: TokenHash, at: Timestamp
    ) async throws -> Bool {
        try await database.write { connection in
            let token = finish.appleToken
            return try connection.execute(
                .finishAuthorization,
                [
                    .id(id), .time(at), .hash(browserHash), .bytes(finish.sealedResult), .hash(finish.tokenHash),
                    .time(finish.freshUntil), .id(orNull: token?.id), token.map { .bytes($0.sealed) } ?? .null,
                    token.map { .time($0.obtainedAt) } ?? .null,
                ]) > 0
        }
    }

    public func failAuthorization(
        _ id: AuthorizationID, _ failure: AuthorizationFailure, browserHash: TokenHash?, at: Timestamp
    ) async throws -> Bool {
        try await database.write { connection in
            try connection.execute(
                .failAuthorization,
                [.id(id), .time(at), browserHash.map(SQLValue.hash) ?? .null, .text(failure)]) > 0
        }
    }

    public func withdrawAuthorization(_ id: AuthorizationID, at: Timestamp) async throws -> Bool {
        try await database.write { connection in
            try connection.execute(
                .withdrawAuthorization, [.id(id), .time(at), .text(AuthorizationFailure.withdrawn)]) > 0
        }
    }

    public func giveHandle(
        _ hash: TokenHash, expiresAt: Timestamp, to id: AuthorizationID, endedAfter: Timestamp
    ) async throws -> Bool {
        try await database.write { connection in
            try connection.execute(
                .giveHandle, [.id(id), .hash(hash), .time(expiresAt), .time(endedAfter)]) > 0
        }
    }
}

extension SQLConnection {
    /// Nil when there is room; else when the first of those expires that fill the limit.
    fileprivate func whenFree(_ limit: AuthorizationLimit, at moment: Timestamp) throws -> Timestamp? {
        let open = try first(
            .unfinishedAuthorizations, [.text(limit.network), .time(moment), .int64(limit.limit)]
        ) { columns in
            (count: try columns.int64(), first: try columns.optionalTime())
        }
        guard let open, open.count >= limit.limit else { return nil }
        return open.first
    }

    /// Uses a code of ours up. What its authorization held is the sign-in's now.
    ///
    /// Throws `AccountError` with the code `alreadyUsed` when another was first, or the time is over.
    func spendOwnCode(_ code: SignInRecord.OwnCode, at: Timestamp) throws {
        let isFirst = try execute(.spendOwnCode, [.id(code.authorization), .hash(code.hash), .time(at), .bytes([])])
        guard isFirst > 0 else {
            throw AccountError(.alreadyUsed, "This code was used before, or is too old.", spent: .code)
        }
    }
}

extension SQLValue {
    /// In microseconds.
    static func duration(_ duration: Duration) -> Self {
        .time(Timestamp(microseconds: 0) + duration)
    }
}

extension SQLStatement {
    /// Nothing is inserted beside any row that shares a code or the id.
    fileprivate static let insertAuthorization: Self = """
        INSERT INTO authorizations (id, app_id, redirect_uri, device_code_hash, user_code_hash, poll_interval,
            challenge, client_id, scope, nonce, sealed_state, address, created_at, expires_at, kept_until, network)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
        ON CONFLICT DO NOTHING RETURNING id
        """
    fileprivate static let unfinishedAuthorizations: Self = """
        SELECT count(*), min(expires_at) FROM
            (SELECT expires_at FROM authorizations WHERE network = ?1 AND expires_at > ?2 AND sealed_result IS NULL
            ORDER BY expires_at LIMIT ?3) AS unfinished
        """
    fileprivate static let allowAuthorization: Self = """
        UPDATE authorizations SET allowed_at = ?3, browser_hash = ?2
        WHERE id = ?1 AND device_code_hash IS NOT NULL AND ended_at IS NULL AND expires_at > ?3
            AND (allowed_at IS NULL OR browser_hash = ?2)
        """
    fileprivate static let finishAuthorization: Self = """
        UPDATE authorizations SET ended_at = ?2, browser_hash = ?3, sealed_result = ?4, token_hash = ?5,
            token_fresh_until = ?6, apple_token_id = ?7, apple_token_sealed = ?8, apple_token_obtained_at = ?9
        WHERE id = ?1 AND ended_at IS NULL AND expires_at > ?2
        """
    fileprivate static let failAuthorization: Self = """
        UPDATE authorizations SET ended_at = ?2, browser_hash = coalesce(?3, browser_hash), failure = ?4
        WHERE id = ?1 AND ended_at IS NULL
        """
    fileprivate static let withdrawAuthorization: Self = """
        UPDATE authorizations SET ended_at = ?2, failure = ?3, sealed_result = NULL, token_hash = NULL,
            token_fresh_until = NULL, apple_token_id = NULL, apple_token_sealed = NULL, apple_token_obtained_at = NULL,
            handle_hash = NULL, handle_expires_at = NULL
        WHERE id = ?1 AND failure IS NULL AND redeemed_at IS NULL
        """
    fileprivate static let giveHandle: Self = """
        UPDATE authorizations SET handle_hash = ?2, handle_expires_at = ?3
        WHERE id = ?1 AND redirect_uri IS NOT NULL AND sealed_result IS NOT NULL AND redeemed_at IS NULL
            AND ended_at > ?4
        """
    fileprivate static let spendOwnCode: Self = """
        UPDATE authorizations SET code_used_at = ?3, sealed_result = ?4, apple_token_id = NULL,
            apple_token_sealed = NULL, apple_token_obtained_at = NULL
        WHERE id = ?1 AND code_hash = ?2 AND code_used_at IS NULL AND code_expires_at > ?3
        """
}
