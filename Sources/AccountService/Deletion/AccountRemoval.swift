/// A deletion that no session asks for: an operator's, or the service's own by a rule. It writes and removes what the
/// person's own does, in one transaction.
public struct AccountRemoval: Sendable {
    public var at: Timestamp
    public var account: AccountID
    public var handleHash: TokenHash
    /// For the audit.
    public var actor: AuditActor
    /// A code that says why, for the audit, the account's events and the hooks; nil for the person's own wish.
    public var reason: String?

    public init(
        at: Timestamp, account: AccountID, handleHash: TokenHash, by actor: AuditActor, reason: String?
    ) {
        self.at = at
        self.account = account
        self.handleHash = handleHash
        self.actor = actor
        self.reason = reason
    }
}
