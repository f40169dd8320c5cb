/// What is new to one session of an account, read in one step.
public struct AccountNews: Hashable, Sendable {
    /// After the revision asked for, oldest first; none for a session that asked for what is to come. Of a session that
    /// has ended: up to its end.
    public var events: [AccountEvent]
    /// The account's revision now: what comes later has a greater one.
    public var revision: Int64
    /// The session has ended or expired, or is gone.
    public var isOver: Bool

    public init(events: [AccountEvent], revision: Int64, isOver: Bool) {
        self.events = events
        self.revision = revision
        self.isOver = isOver
    }
}
