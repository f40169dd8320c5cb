import AccountService

extension SQLConnection {
    /// Appends to the audit, in the transaction that does what the entry tells of.
    func append(_ entry: AuditEntry) throws {
        let actor = entry.actor
        try execute(
            .appendToAudit,
            [
                .id(entry.id), .time(entry.at), .text(entry.event), .text(actor.kind), .id(orNull: entry.account),
                .id(orNull: actor.session), .text(orNull: entry.subject), .text(orNull: entry.detail),
                .text(orNull: actor.caller.address), .text(orNull: actor.caller.device?.rawValue),
            ])
    }

    /// Empties what is personal in an account's entries, for the purge of the account.
    func forgetCallers(of account: AccountID) throws {
        try execute(.forgetCallers, [.id(account)])
    }
}

extension SQLStatement {
    fileprivate static let appendToAudit: Self = """
        INSERT INTO audit (id, happened_at, event, actor, account_id, session_id, subject, detail, address, device)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        ON CONFLICT (id) DO NOTHING
        """
    fileprivate static let forgetCallers: Self = """
        UPDATE audit SET address = NULL, device = NULL
        WHERE account_id = ?1 AND (address IS NOT NULL OR device IS NOT NULL)
        """
}
