/// Some of an account's live sessions, newest first.
public struct SessionPage: Hashable, Sendable {
    public var sessions: [Session]
    /// Where the next page begins; nil when this is the last.
    public var next: SessionID?
}
