extension AuditEvent {
    /// A person has proven again who they are; the subject is the session that is fresh now.
    public static let reauthenticated = Self(rawValue: "reauthenticated")
}
