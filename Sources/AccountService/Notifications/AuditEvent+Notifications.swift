extension AuditEvent {
    /// A person's Apple Account is gone, and with it what was known of the identity, which is the subject.
    public static let identityRemoved = Self(rawValue: "identity_removed")
}
