public import AppleIDTypes

/// What a verified notification says. Only ``NotificationVerifier`` makes one. Printing it shows the event's type
/// alone.
public struct VerifiedNotification: Hashable, Sendable, Redacted {
    /// `jti`: the same for every delivery of one notification.
    public let id: String
    /// The primary App ID that it was sent to, whichever client the person used.
    public let audience: ClientID
    /// Seconds since 1970.
    public let issuedAt: Int64
    /// Seconds since 1970. Apple's documents show notifications without.
    public let expiresAt: Int64?
    /// As Apple says it; ``change`` says what to do.
    public let event: NotificationEvent
    /// The time by which to order events, in milliseconds since 1970: the event's own time, but never later than the
    /// second in which Apple issued the notification.
    ///
    /// The issue time is checked against your clock and the event's time is not. An event time in the future would
    /// otherwise make every true event, and every sign-in, look outdated until then.
    public var happenedAt: Int64 { min(event.time, issuedAt * 1_000 + 999) }
    /// Whether the event's own time lies further beyond the issue time than two clocks may differ (60 seconds).
    package var isEventTimeImpossible: Bool { event.time > (issuedAt + Leeway.seconds) * 1_000 }

    /// The type alone.
    public var description: String { "VerifiedNotification(\(event.type))" }

    init(id: String, audience: ClientID, issuedAt: Int64, expiresAt: Int64?, event: NotificationEvent) {
        self.id = id
        self.audience = audience
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.event = event
    }
}
