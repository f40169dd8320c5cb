import AccountDatabase
import AppleID

extension AccountTransactions {
    /// The account into which an account was merged; nil for one that was not, or where the remaining account is gone.
    package func accountMerged(from id: AccountID) async throws -> (into: AccountID, at: Timestamp)? {
        try await read { try $0.accountMerged(from: id) }
    }
}

extension SQLConnection {
    /// The account into which an account was merged; nil for one that was not, or where the remaining account is gone.
    func accountMerged(from id: AccountID) throws -> (into: AccountID, at: Timestamp)? {
        try first(.mergedInto, [.id(id)]) { columns in
            try (into: columns.word(AccountID.self), at: columns.time())
        }
    }

    /// The accounts that were merged into an account, the latest first.
    func accountsMerged(into account: AccountID) throws -> [AccountExport.MergedAccount] {
        try query(.mergedFrom, [.id(account)]) { columns in
            try AccountExport.MergedAccount(id: columns.word(), mergedAt: columns.time())
        }
    }

    /// The account that a handle has merged into an account.
    func merged(by handle: TokenHash, into account: AccountID) throws -> (from: AccountID, at: Timestamp)? {
        try first(.mergedByHandle, [.hash(handle), .id(account)]) { columns in
            try (from: columns.word(AccountID.self), at: columns.time())
        }
    }
}

extension Sessions {
    /// The error for a client whose session ended because its account was merged; nil for any other session.
    func mergeError(of stored: StoredSession) -> AccountError? {
        guard let ended = stored.ended, ended.reason == .merged,
            Timestamp(environment.now()) - ended.at < Merges.retention
        else { return nil }
        // The session's row has moved with the account.
        return AccountError(mergedInto: stored.account.id)
    }

    /// The error for a refresh token of a session that ended because its account was merged; nil for any other.
    func mergeError(presenting secret: SessionSecret, _ origin: SessionSecret.Origin) async throws -> AccountError? {
        guard origin != .forged, let stored = try await store.session(secret.session),
            stored.session.kind == .tokens
        else { return nil }
        return mergeError(presenting: secret, origin, of: stored)
    }

    /// The error for a refresh token of a session that was found by its id; nil unless the session ended because its
    /// account was merged. A token that tells nothing of itself must be one of the last two.
    func mergeError(
        presenting secret: SessionSecret, _ origin: SessionSecret.Origin, of stored: StoredSession
    ) -> AccountError? {
        switch origin {
        case .signed: mergeError(of: stored)
        case .former: isOfLastExchange(secret, of: stored) ? mergeError(of: stored) : nil
        case .forged: nil
        }
    }

    /// Whether a refresh token is a session's current one, or the one before, which a client holds whose last answer
    /// was lost.
    func isOfLastExchange(_ secret: SessionSecret, of stored: StoredSession) -> Bool {
        let keys = keys.refreshTokenKeys
        let successor = secret.successor(generation: stored.generation, derivedWith: keys)
        let formerSuccessor = secret.formerSuccessor(derivedWith: keys)
        return [secret.hash, successor.hash, formerSuccessor.hash].contains(stored.secretHash)
    }
}

extension SQLStatement {
    fileprivate static let mergedInto: Self = "SELECT into_id, merged_at FROM merged_accounts WHERE from_id = ?1"
    fileprivate static let mergedFrom: Self = """
        SELECT from_id, merged_at FROM merged_accounts WHERE into_id = ?1 ORDER BY merged_at DESC, from_id
        """
    fileprivate static let mergedByHandle: Self = """
        SELECT from_id, merged_at FROM merged_accounts WHERE handle_hash = ?1 AND into_id = ?2
        """
}
