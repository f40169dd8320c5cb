extension AuditEvent {
    /// Apple is to end its authorization of the person; the subject is the identity.
    public static let appleRevocationOrdered = Self(rawValue: "apple_revocation_ordered")
}
