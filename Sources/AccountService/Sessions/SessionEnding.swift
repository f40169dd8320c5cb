/// How a session ends before its time, for a store and its audit.
public struct SessionEnding: Hashable, Sendable {
    public var at: Timestamp
    public var reason: SessionEndReason
    public var actor: AuditActor

    public init(at: Timestamp, reason: SessionEndReason, by actor: AuditActor) {
        self.at = at
        self.reason = reason
        self.actor = actor
    }
}
