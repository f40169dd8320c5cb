/// What became of an attempt to tell a hook.
public enum NoticeOutcome: Hashable, Sendable {
    /// Nothing is kept of it.
    case taken
    case again(at: Timestamp, failure: String)
    case parked(failure: String)
}
