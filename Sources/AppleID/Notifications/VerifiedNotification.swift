public import AppleIDTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A verified notification. Only ``NotificationVerifier`` makes one. Printing it shows the event's type alone.
public struct VerifiedNotification: Hashable, Sendable, Redacted {
    /// The identifier (`jti`), the same for every delivery of one notification.
    public let id: String
    /// The primary App ID that the notification was sent to, whichever client the person used.
    public let audience: ClientID
    /// The time when Apple issued the notification, in whole seconds.
    public let issuedAt: Date
    /// The time until which the notification is good. Apple's documents show notifications without it.
    public let expiresAt: Date?
    /// The event in Apple's words. ``change`` says what to do.
    public let event: NotificationEvent
    /// The time by which to order events: the event's own time, but never later than the second in which Apple issued
    /// the notification.
    ///
    /// The issue time is checked against your clock and the event's time is not. An event time in the future would
    /// otherwise make every true event, and every sign-in, look outdated until then.
    public var happenedAt: Date { Date(timeIntervalSince1970: Double(happenedAtMilliseconds) / 1_000) }
    /// ``happenedAt`` in milliseconds since 1970, which a `Date` cannot hold exactly.
    package var happenedAtMilliseconds: Int64 { min(event.time, issuedAt.wholeSeconds * 1_000 + 999) }
    /// Whether the event's own time lies further beyond the issue time than two clocks may differ (60 seconds).
    package var isEventTimeImpossible: Bool { event.time > (issuedAt.wholeSeconds + Leeway.seconds) * 1_000 }

    /// The type's name and the event's type, and nothing about the person.
    public var description: String { "VerifiedNotification(\(event.type))" }

    /// - Parameters:
    ///   - issuedAt: in seconds since 1970.
    ///   - expiresAt: in seconds since 1970.
    init(id: String, audience: ClientID, issuedAt: Int64, expiresAt: Int64?, event: NotificationEvent) {
        self.id = id
        self.audience = audience
        self.issuedAt = Date(timeIntervalSince1970: Double(issuedAt))
        self.expiresAt = expiresAt.map { Date(timeIntervalSince1970: Double($0)) }
        self.event = event
    }
}

extension VerifiedNotification {
    /// The change to act on.
    ///
    /// Notifications may come late, twice and in any order. If one is older than the last change that you acted on
    /// (``VerifiedNotification/happenedAt``), only acknowledge it.
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

/// A change to the account that a notification is about. Apple's two spellings of a deletion are one change.
///
/// Printing or mirroring it shows which change it is, and no address.
@nonexhaustive
public enum AccountChange: Hashable, Sendable, Redacted {
    /// Apple refuses mail to the relay address from now on. The address is the notification's, if it has one.
    case emailDisabled(address: String?)
    /// Mail to the relay address reaches the person again.
    case emailEnabled(address: String?)
    /// The person stopped using the app: end their sessions, and forget Apple's tokens.
    case consentRevoked
    /// The Apple Account is gone and its subject never returns. No device is told.
    case accountDeleted
    /// The event has a type that this version does not know. Acknowledge it, and do nothing else. Later versions may
    /// add cases for such types.
    case other

    /// The name of the change, without the address.
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
