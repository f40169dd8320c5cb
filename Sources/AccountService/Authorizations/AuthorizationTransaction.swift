import AccountDatabase
import AppleIDTypes

/// How many authorizations that nobody has finished one network may have within their time.
package struct AuthorizationLimit: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case inserted
        /// Another authorization has the same user code; nothing was written.
        case taken
        /// The network has as many as it may have until then; nothing was written.
        case tooMany(until: Timestamp)
    }

    package var network: CountedNetwork
    /// Open ones and failed ones count until they expire; else beginning and giving up would have no bound.
    package var limit: Int64

    package init(network: CountedNetwork, limit: Int64) {
        self.network = network
        self.limit = limit
    }
}

/// The credential that a person's consent at Apple has brought an authorization.
package struct AuthorizationFinish: Hashable, Sendable, Redacted {
    /// The credential, sealed. Empty after a sign-in has used it.
    package var sealedResult: [UInt8]
    /// The SHA-256 of the identity token's signing input, by which the token is known.
    package var tokenHash: TokenHash
    /// From then on no sign-in takes the identity token, and so no code of ours.
    package var freshUntil: Timestamp
    /// The token of the redeemed code, sealed under the identifier and client that it keeps when a sign-in takes it
    /// over.
    package var appleToken: AppleToken?

    package init(sealedResult: [UInt8], tokenHash: TokenHash, freshUntil: Timestamp, appleToken: AppleToken?) {
        self.sealedResult = sealedResult
        self.tokenHash = tokenHash
        self.freshUntil = freshUntil
        self.appleToken = appleToken
    }
}

/// The handle or device code that an app presents for a finished authorization, decided by a store in one transaction.
package struct AuthorizationRedemption: Hashable, Sendable {
    package enum Key: Hashable, Sendable {
        case handle(TokenHash)
        case deviceCode(TokenHash)
    }

    package enum Outcome: Hashable, Sendable {
        /// This call redeemed it.
        case redeemed(StoredAuthorization)
        /// Nothing has this handle or device code.
        case unknown
        /// The verifier does not fit, so handle or device code is used; or it was used before.
        case used
        /// The handle, or the authorization of the device code, is too old.
        case expired
        /// The device is to ask again.
        case pending
        /// The device asked too soon: its interval has grown.
        case tooSoon
        case failed(AuthorizationFailure)
    }

    package var key: Key
    /// The SHA-256 of the verifier.
    package var challenge: TokenHash
    /// The hash of the code of ours that is handed out with the result.
    package var codeHash: TokenHash
    /// The latest end of the code, which never outlives the identity token's ``AuthorizationFinish/freshUntil``.
    package var codeExpiresAt: Timestamp
    /// The time that is added to the interval of a device that asks too soon.
    package var slowDown: Duration
    package var at: Timestamp

    package init(
        key: Key, challenge: TokenHash, codeHash: TokenHash, codeExpiresAt: Timestamp, slowDown: Duration,
        at: Timestamp
    ) {
        self.key = key
        self.challenge = challenge
        self.codeHash = codeHash
        self.codeExpiresAt = codeExpiresAt
        self.slowDown = slowDown
        self.at = at
    }
}

extension AccountTransactions {
    /// Writes an authorization, unless its limit is reached or another one has the same user code.
    package func insertAuthorization(
        _ authorization: StoredAuthorization, within limit: AuthorizationLimit
    ) async throws -> AuthorizationLimit.Outcome {
        try await write { connection in
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
                    .text(orNull: authorization.provider?.rawValue),
                ])
            return isInserted ? .inserted : .taken
        }
    }

    package func authorization(_ id: AuthorizationID) async throws -> StoredAuthorization? {
        try await read { try $0.authorizationRow(.authorization, .id(id))?.stored }
    }

    /// The one of a device, whatever became of it.
    package func authorization(deviceCode hash: TokenHash) async throws -> StoredAuthorization? {
        try await read { try $0.authorizationRow(.authorizationOfDeviceCode, .hash(hash))?.stored }
    }

    /// The one that handed out this code of ours, and that no sign-in has used yet.
    package func authorization(ownCode hash: TokenHash) async throws -> StoredAuthorization? {
        try await read { try $0.authorizationRow(.authorizationOfCode, .hash(hash))?.stored }
    }

    /// Notes that a person allowed a device, with the attempt at Apple that follows.
    ///
    /// - Returns: false, and nothing was written, unless the authorization is open and nobody in another browser has
    ///   allowed it before.
    package func allowAuthorization(_ id: AuthorizationID, by attempt: Attempt, at: Timestamp) async throws -> Bool {
        try await write { connection in
            let isAllowed = try connection.execute(
                .allowAuthorization, [.id(id), .hash(attempt.browserHash), .time(at)])
            guard isAllowed > 0 else { return false }
            try connection.insertAttempt(attempt)
            return true
        }
    }

    /// Keeps what Apple gave, unless the authorization has ended or expired meanwhile.
    /// - Returns: whether it was kept.
    package func finishAuthorization(
        _ id: AuthorizationID, with finish: AuthorizationFinish, browserHash: TokenHash, at: Timestamp
    ) async throws -> Bool {
        try await write { connection in
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

    /// Ends an authorization without a credential, unless it has ended before.
    /// - Parameter browserHash: of the browser that was at Apple; nil leaves what is there.
    /// - Returns: whether it was this call that ended it.
    package func failAuthorization(
        _ id: AuthorizationID, _ failure: AuthorizationFailure, browserHash: TokenHash?, at: Timestamp
    ) async throws -> Bool {
        try await write { connection in
            try connection.execute(
                .failAuthorization,
                [.id(id), .time(at), browserHash.map(SQLValue.hash) ?? .null, .text(failure)]) > 0
        }
    }

    /// Ends an authorization that its app has given up, unless it failed or was redeemed before. The result of a finish
    /// is gone, and so is a handle.
    /// - Returns: whether it was this call that ended it.
    package func withdrawAuthorization(_ id: AuthorizationID, at: Timestamp) async throws -> Bool {
        try await write { connection in
            try connection.execute(
                .withdrawAuthorization, [.id(id), .time(at), .text(AuthorizationFailure.withdrawn)]) > 0
        }
    }

    /// Gives a finished authorization that nobody has redeemed a handle, in place of an earlier one.
    /// - Parameter endedAfter: false for one that ended before.
    package func giveHandle(
        _ hash: TokenHash, expiresAt: Timestamp, to id: AuthorizationID, endedAfter: Timestamp
    ) async throws -> Bool {
        try await write { connection in
            try connection.execute(
                .giveHandle, [.id(id), .hash(hash), .time(expiresAt), .time(endedAfter)]) > 0
        }
    }

    package func redeemAuthorization(
        _ redemption: AuthorizationRedemption
    ) async throws -> AuthorizationRedemption.Outcome {
        try await write { connection in
            switch redemption.key {
            case .handle(let hash): try connection.redeem(handle: hash, redemption)
            case .deviceCode(let hash): try connection.redeem(deviceCode: hash, redemption)
            }
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

    /// Uses a code of ours up. The contents of its authorization are the sign-in's now.
    ///
    /// Throws `AccountError` with the code `alreadyUsed` when another was first, or the time is over.
    func markOwnCodeUsed(_ code: SignInRecord.UsedOwnCode, at: Timestamp) throws {
        let isFirst = try execute(.markOwnCodeUsed, [.id(code.authorization), .hash(code.hash), .time(at), .bytes([])])
        guard isFirst > 0 else {
            throw AccountError(.alreadyUsed, "This code was used before, or is too old.", used: .code)
        }
    }

    /// The handle is gone whatever follows; of several who bring it, the one whose UPDATE takes it decides.
    fileprivate func redeem(
        handle hash: TokenHash, _ redemption: AuthorizationRedemption
    ) throws -> AuthorizationRedemption.Outcome {
        guard let row = try authorizationRow(.authorizationOfHandle, .hash(hash)),
            try execute(.takeHandle, [.id(row.stored.id), .hash(hash)]) > 0
        else { return .unknown }
        guard let expiry = row.handleExpiresAt, redemption.at < expiry else { return .expired }
        guard row.stored.challenge == redemption.challenge else { return .used }
        return try redeem(row, redemption)
    }

    fileprivate func redeem(
        deviceCode hash: TokenHash, _ redemption: AuthorizationRedemption
    ) throws -> AuthorizationRedemption.Outcome {
        guard let row = try authorizationRow(.authorizationOfDeviceCode, .hash(hash)) else { return .unknown }
        let authorization = row.stored
        guard authorization.challenge == redemption.challenge else {
            // Somebody else has the device code: nobody gets anything by it any more.
            try execute(
                .markDeviceCodeUsed,
                [.id(authorization.id), .time(redemption.at), .text(AuthorizationFailure.withdrawn), .bytes([])])
            return .used
        }
        if authorization.redeemedAt != nil { return .used }
        guard redemption.at < authorization.expiresAt else { return .expired }
        switch authorization.end {
        case .finished: return try redeem(row, redemption)
        case .failed(let failure): return .failed(failure)
        case nil: return try poll(row, redemption)
        }
    }

    private func redeem(
        _ row: AuthorizationRow, _ redemption: AuthorizationRedemption
    ) throws -> AuthorizationRedemption.Outcome {
        guard case .finished(let finish) = row.stored.end else { return .used }
        let codeExpiresAt = min(redemption.codeExpiresAt, finish.freshUntil)
        let isFirst = try execute(
            .redeemAuthorization,
            [.id(row.stored.id), .time(redemption.at), .hash(redemption.codeHash), .time(codeExpiresAt)])
        guard isFirst > 0 else { return .used }
        var redeemed = row.stored
        redeemed.redeemedAt = redemption.at
        redeemed.codeExpiresAt = codeExpiresAt
        return .redeemed(redeemed)
    }

    private func poll(
        _ row: AuthorizationRow, _ redemption: AuthorizationRedemption
    ) throws -> AuthorizationRedemption.Outcome {
        guard let device = row.stored.device else { return .unknown }
        let isTooSoon = row.polledAt.map { redemption.at - $0 < device.interval } ?? false
        let interval = isTooSoon ? device.interval + redemption.slowDown : device.interval
        try execute(.notePoll, [.id(row.stored.id), .time(redemption.at), .duration(interval)])
        return isTooSoon ? .tooSoon : .pending
    }
}

extension SQLStatement {
    /// Nothing is inserted beside any row that shares a code or the id.
    fileprivate static let insertAuthorization: Self = """
        INSERT INTO authorizations (id, app_id, redirect_uri, device_code_hash, user_code_hash, poll_interval,
            challenge, client_id, scope, nonce, sealed_state, address, created_at, expires_at, kept_until, network,
            provider)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
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
    fileprivate static let markOwnCodeUsed: Self = """
        UPDATE authorizations SET code_used_at = ?3, sealed_result = ?4, apple_token_id = NULL,
            apple_token_sealed = NULL, apple_token_obtained_at = NULL
        WHERE id = ?1 AND code_hash = ?2 AND code_used_at IS NULL AND code_expires_at > ?3
        """

    fileprivate static let takeHandle: Self = """
        UPDATE authorizations SET handle_hash = NULL, handle_expires_at = NULL WHERE id = ?1 AND handle_hash = ?2
        """
    fileprivate static let redeemAuthorization: Self = """
        UPDATE authorizations SET redeemed_at = ?2, code_hash = ?3, code_expires_at = ?4
        WHERE id = ?1 AND sealed_result IS NOT NULL AND redeemed_at IS NULL
        """
    /// A result that was handed out already stays with whoever received it.
    fileprivate static let markDeviceCodeUsed: Self = """
        UPDATE authorizations SET redeemed_at = ?2, ended_at = coalesce(ended_at, ?2),
            failure = CASE WHEN ended_at IS NULL THEN ?3 ELSE failure END,
            sealed_result = CASE WHEN sealed_result IS NULL THEN NULL ELSE ?4 END, apple_token_id = NULL,
            apple_token_sealed = NULL, apple_token_obtained_at = NULL
        WHERE id = ?1 AND redeemed_at IS NULL
        """
    fileprivate static let notePoll: Self = """
        UPDATE authorizations SET polled_at = ?2, poll_interval = ?3 WHERE id = ?1
        """
}
