public import AppleIDTypes

/// What a notification means for the account it is about, the two spellings of a deletion made one.
///
/// Printing or mirroring it shows which change it is, and no address.
public enum AccountChange: Hashable, Sendable, Redacted {
    /// Mail to the relay address is refused from now on. The address is Apple's word in the notification, if it has
    /// one.
    case emailDisabled(address: String?)
    /// Mail to the relay address reaches the person again.
    case emailEnabled(address: String?)
    /// The person stopped using the app: end their sessions, and forget Apple's tokens.
    case consentRevoked
    /// The Apple Account is gone and its subject never returns. No device is told.
    case accountDeleted
    /// A type that was not known when this was written: to be acknowledged, and otherwise left alone. New cases for
    /// such types may be added.
    case other

    /// The name of the change alone.
    public var description: String {
        switch self {
        case .emailDisabled: "emailDisabled"
        case .emailEnabled: "emailEnabled"
        case .consentRevoked: "consentRevoked"
        case .accountDeleted: "accountDeleted"
        case .other: "other"
        }
    }
}
