/// What became of a deletion. The account itself is gone from the first moment; this is about what Apple is told.
public struct Deletion: Hashable, Sendable {
    public enum State: String, Hashable, Sendable {
        /// Apple is being asked to end the authorization.
        case waiting
        /// An operator must act before Apple is asked again.
        case parked
        /// Nothing is left to do.
        case done
        /// The person came back before Apple was told, and has an account again.
        case withdrawn
    }

    /// How long it is remembered after nothing was left to do.
    public static let memory: Duration = .days(30)

    public var state: State
    public var requestedAt: Timestamp
    /// When nothing was left to do any more.
    public var finishedAt: Timestamp?
    /// Whether Apple is asked to end the authorization, or it has ended before. Else the person must remove the app by
    /// hand.
    public var asksApple: Bool

    public init(state: State, requestedAt: Timestamp, finishedAt: Timestamp?, asksApple: Bool) {
        self.state = state
        self.requestedAt = requestedAt
        self.finishedAt = finishedAt
        self.asksApple = asksApple
    }
}
