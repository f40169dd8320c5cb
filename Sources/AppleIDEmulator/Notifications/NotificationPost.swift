import Logging

/// Carries what is due from the outbox to the apps.
struct NotificationPost: Sendable {
    typealias Send = @Sendable (NotificationRequest) async throws -> Int

    let outbox: Outbox
    let clock: EmulatorEnvironment
    let deliversOnce: @Sendable () -> Bool
    let logger: Logger

    /// One pass: apps side by side, for each app one notification after the other.
    func deliverDue(through send: @escaping Send) async {
        let due = outbox.advance { $0.takeDue(at: clock.seconds) }
        await withDiscardingTaskGroup { group in
            for (_, notifications) in Dictionary(grouping: due, by: { $0.address ?? "" }) {
                group.addTask {
                    for notification in notifications { await deliver(notification, through: send) }
                }
            }
        }
    }

    private func deliver(_ notification: OutgoingNotification, through send: Send) async {
        guard let address = notification.address, !Task.isCancelled else {
            return outbox.advance { $0.giveBack(notification.id, at: clock.seconds) }
        }
        let outcome: OutgoingNotification.Outcome
        do {
            outcome = .status(try await send(NotificationRequest(url: address, body: notification.body)))
        } catch {
            if Task.isCancelled { return outbox.advance { $0.giveBack(notification.id, at: clock.seconds) } }
            outcome = .unanswered(HTTPDelivery.reason(error))
        }
        outbox.advance {
            $0.finish(notification.id, outcome, at: clock.seconds, deliversOnce: deliversOnce())
        }
        if !outcome.isAccepted {
            logger.info(
                "A notification was not accepted",
                metadata: ["id": "\(notification.id)", "outcome": "\(outcome)", "client": "\(notification.audience)"])
        }
    }
}
