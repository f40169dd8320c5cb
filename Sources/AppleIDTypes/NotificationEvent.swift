/// The event inside a server-to-server notification. Printing or mirroring it shows its type, and no address.
public struct NotificationEvent: Hashable, Sendable, Redacted {
    /// The event's type, which may be one that nobody knows yet.
    public var type: EventType
    /// The person whom the event is about, as the team of the notified app knows them.
    public var subject: Subject
    /// The time when it happened, in milliseconds since 1970.
    ///
    /// Apple's documents print seconds, real events carry milliseconds; a reader tells them apart by size.
    public var time: Int64
    /// The relay address that the two e-mail events are about; absent with other events.
    public var email: String?
    /// Whether ``email`` is a relay address; absent with other than the two e-mail events.
    public var isPrivateEmail: Bool?

    /// The type's name and the event's type, and nothing about the person.
    public var description: String { "NotificationEvent(\(type))" }

    /// Creates an event.
    /// - Parameter time: in milliseconds since 1970.
    public init(type: EventType, subject: Subject, time: Int64, email: String? = nil, isPrivateEmail: Bool? = nil) {
        self.type = type
        self.subject = subject
        self.time = time
        self.email = email
        self.isPrivateEmail = isPrivateEmail
    }
}

/// The type of a server-to-server notification's event.
public struct EventType: AppleWord {
    /// The text as Apple spells it.
    public let rawValue: String

    /// Creates an event type from any text.
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
    /// The Apple Account is gone for good, as real notifications spell it.
    public static let accountDelete: Self = "account-delete"
}
