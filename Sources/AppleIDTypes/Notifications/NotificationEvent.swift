/// The event inside a server-to-server notification. Printing or mirroring it shows its type, and no address.
public struct NotificationEvent: Hashable, Sendable, Redacted {
    /// May be one that nobody knows yet.
    public var type: EventType
    /// Whom it is about, as the team of the notified app knows them.
    public var subject: Subject
    /// When it happened, in milliseconds since 1970. (Apple's documents print seconds, real events carry milliseconds;
    /// a reader tells them apart by size.)
    public var time: Int64
    /// With the two e-mail events.
    public var email: String?
    /// Whether ``email`` is a relay address; with the two e-mail events.
    public var isPrivateEmail: Bool?

    /// The type alone.
    public var description: String { "NotificationEvent(\(type))" }

    /// - Parameter time: in milliseconds since 1970.
    public init(type: EventType, subject: Subject, time: Int64, email: String? = nil, isPrivateEmail: Bool? = nil) {
        self.type = type
        self.subject = subject
        self.time = time
        self.email = email
        self.isPrivateEmail = isPrivateEmail
    }
}
