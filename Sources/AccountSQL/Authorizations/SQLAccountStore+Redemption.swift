public import AccountService

extension SQLAccountStore {
    public func redeemAuthorization(
        _ redemption: AuthorizationRedemption
    ) async throws -> AuthorizationRedemption.Outcome {
        try await database.write { connection in
            switch redemption.key {
            case .handle(let hash): try connection.redeem(handle: hash, redemption)
            case .deviceCode(let hash): try connection.redeem(deviceCode: hash, redemption)
            }
        }
    }
}

extension SQLConnection {
    /// The handle is gone whatever follows; of several who bring it, the one whose UPDATE takes it decides.
    fileprivate func redeem(
        handle hash: TokenHash, _ redemption: AuthorizationRedemption
    ) throws -> AuthorizationRedemption.Outcome {
        guard let row = try authorizationRow(.authorizationOfHandle, .hash(hash)),
            try execute(.takeHandle, [.id(row.stored.id), .hash(hash)]) > 0
        else { return .unknown }
        guard let expiry = row.handleExpiresAt, redemption.at < expiry else { return .expired }
        guard row.stored.challenge == redemption.challenge else { return .spent }
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
                .spendDeviceCode,
                [.id(authorization.id), .time(redemption.at), .text(AuthorizationFailure.withdrawn), .bytes([])])
            return .spent
        }
        if authorization.redeemedAt != nil { return .spent }
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
        guard case .finished(let finish) = row.stored.end else { return .spent }
        let codeExpiresAt = min(redemption.codeExpiresAt, finish.freshUntil)
        let isFirst = try execute(
            .redeemAuthorization,
            [.id(row.stored.id), .time(redemption.at), .hash(redemption.codeHash), .time(codeExpiresAt)])
        guard isFirst > 0 else { return .spent }
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
    fileprivate static let takeHandle: Self = """
        UPDATE authorizations SET handle_hash = NULL, handle_expires_at = NULL WHERE id = ?1 AND handle_hash = ?2
        """
    fileprivate static let redeemAuthorization: Self = """
        UPDATE authorizations SET redeemed_at = ?2, code_hash = ?3, code_expires_at = ?4
        WHERE id = ?1 AND sealed_result IS NOT NULL AND redeemed_at IS NULL
        """
    /// What was finished and handed out already stays with whom it was handed out to.
    fileprivate static let spendDeviceCode: Self = """
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
