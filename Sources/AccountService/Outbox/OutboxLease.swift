/// Takes entries that are due, for a time, so that of several servers one tries each. There is no leader: a lease that
/// runs out, as after a crash, is anybody's.
public struct OutboxLease: Hashable, Sendable {
    /// Who takes them: new for every taking, so that a server that was too slow settles nothing another has taken.
    public var owner: String
    public var at: Timestamp
    public var until: Timestamp
    public var limit: Int

    public init(owner: String, at: Timestamp, until: Timestamp, limit: Int) {
        self.owner = owner
        self.at = at
        self.until = until
        self.limit = limit
    }
}
