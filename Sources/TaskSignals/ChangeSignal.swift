/// Tells waiting tasks that something may have changed.
///
/// A notification wakes every task that waits. If no task waits, the notification is kept for the next wait; several kept
/// notifications are one. So a task that checks, waits, and checks again misses no change, if each change comes before its
/// notification.
///
/// A kept notification reaches one wait only. So a signal has one listener, unless all its listeners wait before each
/// notification.
package final class ChangeSignal: Sendable {
    private struct State {
        var isKept = false
        var waits: [ObjectIdentifier: OneShot<Void>] = [:]
    }

    private struct TimeOver: Error {}

    private let state = Lock(State())

    /// Makes a signal without a notification.
    package init() {}

    /// Wakes the waiting tasks, or the next one that waits.
    package func notify() {
        let waits = state.withLock { state in
            state.isKept = state.waits.isEmpty
            defer { state.waits = [:] }
            return state.waits.values
        }
        for wait in waits { wait.deliver() }
    }

    /// Returns after a notification, or as soon as the calling task is cancelled.
    package func wait() async {
        await wait { try await $0.value() }
    }

    /// Returns after a notification, after this long, or as soon as the calling task is cancelled.
    package func wait(upTo limit: Duration) async {
        await wait { try await $0.value(within: limit, otherwise: .failure(TimeOver())) }
    }

    /// - Parameter notification: waits for one notification. It throws when it stops before there is one.
    private func wait(for notification: (OneShot<Void>) async throws -> Void) async {
        guard !Task.isCancelled else { return }
        let wait = OneShot<Void>()
        let wasKept = state.withLock { state in
            if state.isKept {
                state.isKept = false
                return true
            }
            state.waits[ObjectIdentifier(wait)] = wait
            return false
        }
        if wasKept { return }
        do {
            try await notification(wait)
        } catch {
            let isNotified = state.withLock { $0.waits.removeValue(forKey: ObjectIdentifier(wait)) == nil }
            // A notification came at the moment when this wait stopped: the next wait gets it.
            if isNotified { notify() }
        }
    }
}

/// The notifications as a sequence, which ends when the iterating task is cancelled.
extension ChangeSignal: AsyncSequence {
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let signal: ChangeSignal

        package func next() async -> Void? {
            await signal.wait()
            return Task.isCancelled ? nil : ()
        }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(signal: self) }
}
