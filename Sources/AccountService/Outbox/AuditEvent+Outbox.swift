extension AuditEvent {
    /// An operator has a parked entry tried again, which is the subject.
    public static let outboxRetried = Self(rawValue: "outbox_retried")
}
