extension AuditEvent {
    /// The account is gone.
    public static let accountDeleted = Self(rawValue: "account_deleted")
}
