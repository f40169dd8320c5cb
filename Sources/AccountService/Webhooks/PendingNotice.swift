/// A notice that a hook has not taken yet.
public struct PendingNotice: Hashable, Sendable {
    public enum State: String, Hashable, Sendable {
        case waiting
        /// It is not told any more until somebody says so.
        case parked
    }

    public var notice: AccountNotice
    /// ``AccountHook/name``.
    public var hook: String
    public var state: State
    /// How often it was begun.
    public var attempts: Int64
    /// Since when it is being tried: since it happened, or when it last left being parked.
    public var waitingSince: Timestamp
    public var nextAttemptAt: Timestamp
    /// Why the last attempt failed, in one word.
    public var failure: String?

    public init(
        notice: AccountNotice, hook: String, state: State, attempts: Int64, waitingSince: Timestamp,
        nextAttemptAt: Timestamp, failure: String?
    ) {
        self.notice = notice
        self.hook = hook
        self.state = state
        self.attempts = attempts
        self.waitingSince = waitingSince
        self.nextAttemptAt = nextAttemptAt
        self.failure = failure
    }
}
