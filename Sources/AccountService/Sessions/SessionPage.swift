/// Some of an account's live sessions, newest first.
public struct SessionPage: Hashable, Sendable {
    public var sessions: [Session]
    /// Where the next page begins; nil when this is the last.
    public var next: SessionID?
    /// The network addresses that the sessions were opened from, as the audit has them. An address is missing where
    /// the caller's was unknown, and where the audit no longer keeps the entry.
    public var signInAddresses: [SessionID: String] = [:]
}
