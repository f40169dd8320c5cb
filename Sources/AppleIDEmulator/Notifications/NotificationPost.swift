import Logging

/// Carries what is due from the outbox to the apps.
struct NotificationPost: Sendable {
    typealias Send = @Sendable (NotificationRequest) async throws -> Int

    let outbox: Outbox
    let clock: EmulatorEnvironment
    let deliversOnce: @Sendable () -> Bool
    let logger: Logger

    /// Sends until nothing is due any more, and returns when all of it was answered or was not.
    func deliverDue(through send: @escaping Send) async {
        await withDiscardingTaskGroup { group in addWorkers(to: &group, through: send) }
    }

    /// Begins with what is due. A worker goes on by itself as long as there is something that nobody else sends, so one
    /// that waits for a silent address holds up no other address, in this round or the next.
    func addWorkers(to group: inout DiscardingTaskGroup, through send: @escaping Send) {
        while let first = takeNext() {
            group.addTask {
                var next: OutgoingNotification? = first
                while let notification = next {
                    await deliver(notification, through: send)
                    next = Task.isCancelled ? nil : takeNext()
                }
            }
        }
    }

    private func takeNext() -> OutgoingNotification? { outbox.advance { $0.takeNext(at: clock.seconds) } }

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
