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
