/// Takes entries that are due, for a time, so that of several servers one tries each. There is no leader: a lease that
/// runs out, as after a crash, is anybody's.
public struct OutboxLease: Hashable, Sendable {
    /// Which entries are meant.
    public enum Lane: Hashable, Sendable, CaseIterable {
        case all
        /// They die within minutes, so they have a way of their own past whatever else waits for Apple.
        case codes
        case others
    }

    /// Who takes them: new for every taking, so that a server that was too slow settles nothing another has taken.
    public var owner: String
    public var at: Timestamp
    public var until: Timestamp
    public var limit: Int
    public var lane: Lane

    public init(owner: String, at: Timestamp, until: Timestamp, limit: Int, lane: Lane = .all) {
        self.owner = owner
        self.at = at
        self.until = until
        self.limit = limit
        self.lane = lane
    }
}
