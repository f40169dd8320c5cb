/// The change of a signing key, decided beforehand; a store applies it in one transaction.
public struct ServerKeyRotation: Hashable, Sendable {
    public var at: Timestamp
    /// Which key must still be the active one: of two who rotate at once, one does.
    public var active: ServerKeyID
    /// Becomes the next one, when the present next has become the active one.
    public var newNext: ServerKey
    /// Keys that retired before are removed.
    public var forgetBefore: Timestamp
    public var actor: AuditActor

    public init(
        at: Timestamp, active: ServerKeyID, newNext: ServerKey, forgetBefore: Timestamp, by actor: AuditActor
    ) {
        self.at = at
        self.active = active
        self.newNext = newNext
        self.forgetBefore = forgetBefore
        self.actor = actor
    }
}
