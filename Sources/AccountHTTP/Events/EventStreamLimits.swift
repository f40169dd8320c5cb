/// How a stream of an account's events behaves while nothing happens.
public struct EventStreamLimits: Hashable, Sendable {
    /// How often the store is looked at for what another server wrote. What this one wrote comes at once.
    public var poll: Duration
    /// After so long without an event a comment is sent, so that neither end takes the other for dead.
    public var comment: Duration
    /// A stream ends after this long; its client opens the next one.
    public var lifetime: Duration
    /// How many streams the server has open at most, those of all accounts together; beyond it the answer is 503. Nil for
    /// half of the connections that it may have.
    public var maximumStreams: Int?

    public init(
        poll: Duration = .seconds(2), comment: Duration = .seconds(20), lifetime: Duration = .seconds(3_600),
        maximumStreams: Int? = nil
    ) {
        self.poll = poll
        self.comment = comment
        self.lifetime = lifetime
        self.maximumStreams = maximumStreams
    }
}
