/// What a server-to-server notification tells.
public struct EventType: AppleWord {
    /// As Apple spells it.
    public let rawValue: String

    /// Not checked: any text is one.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The person switched forwarding off: mail to the relay address is refused from now on.
    public static let emailDisabled: Self = "email-disabled"
    /// The person switched forwarding on again.
    public static let emailEnabled: Self = "email-enabled"
    /// The person stopped using the app with their Apple Account.
    public static let consentRevoked: Self = "consent-revoked"
    /// The Apple Account is gone for good, as Apple's documentation spells it.
    public static let accountDeleted: Self = "account-deleted"
    /// The same, as payloads in the field spell it.
    public static let accountDelete: Self = "account-delete"
}
