/// Who did what when and from where: written in the transaction that did it, and never changed.
///
/// All but ``AuditActor/caller`` is identifiers and codes, so that an entry can stay when its person is gone: then a
/// store empties these two alone.
public struct AuditEntry: Hashable, Sendable {
    public var id: AuditID
    public var at: Timestamp
    public var event: AuditEvent
    public var actor: AuditActor
    /// Whose account it concerns; nil for what concerns the server.
    public var account: AccountID?
    /// The identifier of what it is about, where that is not the account: a session, a key, an entry of a queue.
    public var subject: String?
    /// A code that says more; each event says which.
    public var detail: String?

    /// A new entry.
    ///
    /// Its id is made of what it tells, so that a transaction which runs again writes the same, and needs no
    /// randomness: twice the same about one subject in one microsecond is one entry.
    public init(
        _ event: AuditEvent, at: Timestamp, by actor: AuditActor, account: AccountID?, subject: String? = nil,
        detail: String? = nil
    ) {
        let told = [
            event.rawValue, "\(at.microseconds)", actor.kind.rawValue, actor.session?.rawValue ?? "",
            account?.rawValue ?? "", subject ?? "", detail ?? "",
        ]
        self.init(
            id: AuditID(at: at, randomness: Array(TokenHash(of: told.joined(separator: " ")).bytes.prefix(10))), at: at,
            event: event, actor: actor, account: account, subject: subject, detail: detail)
    }

    /// What a store gives back.
    public init(
        id: AuditID, at: Timestamp, event: AuditEvent, actor: AuditActor, account: AccountID?, subject: String?,
        detail: String?
    ) {
        self.id = id
        self.at = at
        self.event = event
        self.actor = actor
        self.account = account
        self.subject = subject
        self.detail = detail
    }
}
