import AppleID
import AppleIDTypes
import Foundation
import Logging

/// Takes what Apple tells this server about people: verifies it, keeps it, and applies it once.
public struct AppleNotifications: Sendable {
    /// What is registered with Apple, after the public URL.
    public static let path = "/apple/notifications"

    let apple: AppleIDClient
    let deletesOnConsentRevoked: Bool
    let store: any AccountStore
    let finishing: FinishingWork
    let bell: EventBell
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
            happenedAt: Timestamp(microseconds: verified.happenedAt * 1_000),
            receivedAt: Timestamp(environment.now()))
        if deletesOnConsentRevoked, notification.change == .consentRevoked {
            // Nobody is there to be given the handle.
            notification.deletion = DeletionHandle(randomness: environment.randomBytes(32)).hash
        }
        let order = notification
        let receipt = try await finishing.perform { [store] in try await store.applyNotification(order) }
        if verified.isEventTimeImpossible {
            logger.warning(
                "Apple sent an event with a time after the notification's own; it counts from the notification's.",
                metadata: ["notification": "\(notification.id)", "type": "\(notification.type)"])
        }
        note(notification, receipt)
        if let account = receipt.account { bell.ring(account) }
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
