import AccountService

extension SQLConnection {
    /// Writes what a transaction has done to an account, for its clients, and for hooks where it concerns them.
    ///
    /// Called by the intention that decides, after it has raised the account's revision, which numbers the event. A
    /// second event of the same transaction raises it once more. To be called while the account's row is still there;
    /// without it nothing is written.
    /// - Parameters:
    ///   - about: the identifier of the session or identity concerned.
    ///   - reason: a code, never anything personal.
    ///   - revision: the account's, where the transaction knows it from raising it and has written no event since.
    /// - Returns: the event's number, or nil without an account.
    @discardableResult
    func appendEvent(
        _ kind: AccountEvent.Kind, of account: AccountID, at: Timestamp, about: String? = nil, reason: String? = nil,
        revision known: Int64? = nil
    ) throws -> Int64? {
        let values: [SQLValue] = try [
            .id(account), .text(kind), .time(at), .text(orNull: about), .text(orNull: reason),
            .time(at + AccountEvent.lifetime),
        ]
        var revision: Int64?
        if let known, try execute(.appendNumberedEvent, values + [.int64(known)]) > 0 {
            revision = known
        } else {
            revision = try first(.appendEvent, values) { try $0.int64() }
        }
        if revision == nil, try execute(.raiseForEvent, [.id(account)]) > 0 {
            revision = try first(.appendEvent, values) { try $0.int64() }
        }
        if let revision, let notice = AccountNotice.Kind(kind) {
            try tellHooks(
                AccountNotice(
                    notice, of: account, sequence: revision, at: at, identityID: about.map(IdentityID.init(rawValue:)),
                    reason: reason))
        }
        return revision
    }
}

extension SQLStatement {
    fileprivate static let appendEvent: Self = """
        INSERT INTO account_events (account_id, revision, kind, at, about, reason, expires_at)
        SELECT id, revision, ?2, ?3, ?4, ?5, ?6 FROM accounts WHERE id = ?1
        ON CONFLICT (account_id, revision) DO NOTHING RETURNING revision
        """
    fileprivate static let appendNumberedEvent: Self = """
        INSERT INTO account_events (account_id, revision, kind, at, about, reason, expires_at)
        VALUES (?1, ?7, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (account_id, revision) DO NOTHING
        """
    fileprivate static let raiseForEvent: Self = "UPDATE accounts SET revision = revision + 1 WHERE id = ?1"
}
