import AppleIDTypes

extension VerifiedNotification {
    /// What to act on. Notifications may come late, twice and in any order: what is older than the last change acted on
    /// (``VerifiedNotification/happenedAt``) is to be acknowledged only.
    public var change: AccountChange {
        switch event.type {
        case .emailDisabled: .emailDisabled(address: event.email)
        case .emailEnabled: .emailEnabled(address: event.email)
        case .consentRevoked: .consentRevoked
        case .accountDeleted, .accountDelete: .accountDeleted
        default: .other
        }
    }
}
