import AppleID
package import AppleIDTypes
import Foundation
import Logging

/// Takes what Apple tells this server about people: verifies it, keeps it, and applies it once.
public struct AppleNotifications: Sendable {
    /// The path at which Apple's notifications arrive; it is registered with Apple after the public URL.
    package static let path = "/apple/notifications"

    let apple: AppleIDClient
    let deletesOnConsentRevoked: Bool
    let store: AccountTransactions
    let finishing: FinishingWork
    let bell: EventBell
    let mail: MailWriter
    let environment: AppleIDEnvironment
    let logger: Logger

    /// Takes the body of Apple's request. When this returns, the notification is kept and what it says is done, so that
    /// Apple may be told so; a repeat changes nothing.
    ///
    /// Throws `AppleIDError` for a body that is no good notification for one of the configured clients; with the code
    /// `keysUnavailable`, or ``AccountError/Code/unavailable``, when it must come again.
    @discardableResult
    public func receive(_ body: [UInt8]) async throws -> NotificationReceipt {
        let verified = try await apple.notificationVerifier.verify(
            body: body, expecting: NotificationExpectation(audiences: Set(apple.clients.keys)))
        guard let client = apple.clients[verified.audience] else {
            throw AppleIDError(.audienceMismatch, "the notification is for a client that is not configured")
        }
        var notification = AppleNotification(
            id: verified.id, type: verified.event.type, change: AppleNotification.Change(verified.change),
            team: client.team, audience: client.id, subject: verified.event.subject,
            happenedAt: Timestamp(microseconds: verified.happenedAtMilliseconds * 1_000),
            receivedAt: Timestamp(environment.now()))
        notification.address = verified.event.email
        if deletesOnConsentRevoked, notification.change == .consentRevoked {
            // Nobody is there to be given the handle.
            notification.deletion = DeletionHandle(randomness: environment.randomBytes(32)).hash
        }
        let mails = notification.deletion.flatMap { _ in DeletionMails(writer: mail, at: notification.receivedAt) }
        let receipt = try await finishing.perform { [store, notification] in
            try await store.applyNotification(notification, mails: mails)
        }
        if verified.isEventTimeImpossible {
            logger.warning(
                "Apple sent an event with a time after the notification's own; it counts from the notification's.",
                metadata: ["notification": "\(notification.id)", "type": "\(notification.type)"])
        }
        note(notification, receipt)
        if let account = receipt.account { bell.notify(account) }
        return receipt
    }

    private func note(_ notification: AppleNotification, _ receipt: NotificationReceipt) {
        var metadata: Logger.Metadata = [
            "notification": "\(notification.id)", "type": "\(notification.type)", "outcome": "\(receipt.outcome)",
            "repeat": "\(receipt.isRepeat)",
        ]
        if let account = receipt.account { metadata["account"] = "\(account)" }
        if receipt.outcome == .unknownType, !receipt.isRepeat {
            logger.notice("Apple sent a notification of a type that is not known; it is kept.", metadata: metadata)
        } else {
            logger.info("Apple sent a notification.", metadata: metadata)
        }
    }
}

extension AppleNotification.Change {
    init(_ change: AccountChange) {
        switch change {
        case .consentRevoked: self = .consentRevoked
        case .accountDeleted: self = .accountDeleted
        case .emailDisabled: self = .emailForwarding(false)
        case .emailEnabled: self = .emailForwarding(true)
        case .other: self = .other
        }
    }
}

/// One verified notification of Apple's, as a store keeps and applies it: once, however often it is delivered.
///
/// The address that an e-mail event names is compared with the identity's, and not kept.
package struct AppleNotification: Hashable, Sendable, Redacted {
    /// The change that a notification asks for.
    package enum Change: Hashable, Sendable {
        case consentRevoked
        case accountDeleted
        /// Whether Apple forwards mail to the person's relay address from now on.
        case emailForwarding(Bool)
        /// A type that is not known here: kept and shown, nothing more.
        case other
    }

    /// For how long one is kept. Apple's are good for a day, or for seven when they do not say.
    package static let lifetime: Duration = .days(30)
    /// An end of consent so soon after this service revoked a token of the person's is what the revocation brought
    /// about.
    package static let ownRevokeEcho: Duration = .minutes(10)

    /// `jti`.
    package var id: String
    package var type: EventType
    package var change: Change
    package var team: TeamID
    package var audience: ClientID
    package var subject: Subject
    /// When it happened, by Apple's clock; never later than Apple issued the notification.
    package var happenedAt: Timestamp
    package var receivedAt: Timestamp
    /// The relay address that an e-mail event names; nil if it names none.
    package var address: String?
    /// Set where an end of consent deletes the account: the hash of the deletion's handle.
    package var deletion: TokenHash?

    package init(
        id: String, type: EventType, change: Change, team: TeamID, audience: ClientID, subject: Subject,
        happenedAt: Timestamp, receivedAt: Timestamp
    ) {
        self.id = id
        self.type = type
        self.change = change
        self.team = team
        self.audience = audience
        self.subject = subject
        self.happenedAt = happenedAt
        self.receivedAt = receivedAt
    }
}

/// The answer to a notification: its effect, and whether it had come before.
public struct NotificationReceipt: Hashable, Sendable {
    /// The effect of the first delivery.
    public var outcome: NotificationOutcome
    /// The account that it concerned; nil for an unknown subject, and when it is a repeat.
    public var account: AccountID?
    /// Whether it had been delivered before, so that nothing was done.
    public var isRepeat: Bool

    package init(outcome: NotificationOutcome, account: AccountID?, isRepeat: Bool) {
        self.outcome = outcome
        self.account = account
        self.isRepeat = isRepeat
    }
}

/// The effect of a notification of Apple's on what is stored.
public struct NotificationOutcome: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The word that is stored and sent.
    public let rawValue: String

    /// Keeps any word, also one that this version doesn't know.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The text itself, as logs show it.
    public var description: String { rawValue }

    /// The notification changed what is stored about the person.
    public static let applied = Self(rawValue: "applied")
    /// The notification says what was known.
    public static let unchanged = Self(rawValue: "unchanged")
    /// The person has signed in, or Apple has said otherwise, since it happened.
    public static let outdated = Self(rawValue: "outdated")
    /// This service revoked the person's token itself.
    public static let expected = Self(rawValue: "expected")
    /// Nobody here has this subject.
    public static let unknownSubject = Self(rawValue: "unknown_subject")
    /// Nobody here knows what the type means.
    public static let unknownType = Self(rawValue: "unknown_type")
}

/// A notification as a store has kept it, for the operator to see.
package struct KeptNotification: Hashable, Sendable {
    package var notification: AppleNotification
    package var outcome: NotificationOutcome
    package var account: AccountID?

    package init(notification: AppleNotification, outcome: NotificationOutcome, account: AccountID?) {
        self.notification = notification
        self.outcome = outcome
        self.account = account
    }
}
