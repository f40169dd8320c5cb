import Synchronization

extension EventBell {
    /// Hears of one account, and is waited for by one task at a time.
    final class Listener: Sendable {
        private struct State {
            var isRung = false
            var waiter: CheckedContinuation<Void, Never>?
        }

        private let state = Mutex(State())
        private let goes: @Sendable () -> Void

        init(goes: @escaping @Sendable () -> Void) {
            self.goes = goes
        }

        deinit {
            goes()
        }

        /// A ring that nobody waits for is kept for whoever waits next.
        func ring() {
            let waiter = state.withLock { state in
                state.isRung = state.waiter == nil
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }

        /// Returns at a ring, at one that came since the last time, after this long, or when the task is cancelled.
        func wait(upTo duration: Duration) async {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    // Cancelled as soon as it rings.
                    if (try? await Task.sleep(for: duration)) != nil { self.ring() }
                }
                await rung()
                group.cancelAll()
            }
        }

        private func rung() async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isRung = state.withLock { state in
                        if state.isRung || Task.isCancelled {
                            state.isRung = false
                            return true
                        }
                        state.waiter = continuation
                        return false
                    }
                    if isRung { continuation.resume() }
                }
            } onCancel: {
                ring()
            }
        }
    }
}
