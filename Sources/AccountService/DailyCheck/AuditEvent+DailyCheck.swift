extension AuditEvent {
    /// The daily check of a client was stopped, because too many of its tokens died: the client is the subject.
    public static let dailyCheckStopped = Self(rawValue: "daily_check_stopped")
    /// An operator has let it go on.
    public static let dailyCheckResumed = Self(rawValue: "daily_check_resumed")
}
