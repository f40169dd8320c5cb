import Hummingbird
import ServiceLifecycle

/// Delivers while the server runs: when something is added, and every second as long as something waits for its time.
/// At the end of the run attempts under way are broken off.
///
/// The emulator's clock may stand still or jump, so no sleep is as long as a wait for it; a look a second is.
struct NotificationService: Service {
    let post: NotificationPost
    /// Nil: the network.
    let send: NotificationPost.Send?

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            if let send {
                await deliver(through: send)
            } else {
                try await HTTPDelivery.run { delivery in await deliver(through: delivery.send) }
            }
        }
    }

    private func deliver(through send: @escaping NotificationPost.Send) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                do {
                    while true {
                        try await Task.sleep(for: .seconds(1))
                        if post.outbox.queue.entries.contains(where: \.isWaiting) { post.outbox.ring() }
                    }
                } catch {
                    // A sleep is broken off for one reason only: the task is cancelled, because the run ends.
                }
            }
            for await _ in post.outbox.bell() { post.addWorkers(to: &group, through: send) }
            group.cancelAll()
        }
    }
}
