import Synchronization

/// Tells whoever waits for an account's events in this process that there may be new ones.
///
/// It carries nothing and promises nothing: what happened is read from the store, and what other servers did is found
/// by looking now and then.
package final class EventBell: Sendable {
    /// Streams of one account's events at once, in one server.
    package static let listenersOfAccount = 5

    private struct State {
        var next: UInt64 = 0
        var listeners: [AccountID: [UInt64: WeakListener]] = [:]
        var watchers: [AccountID: AsyncStream<Int>.Continuation] = [:]

        func tellWatcher(of account: AccountID) {
            watchers[account]?.yield(listeners[account]?.count ?? 0)
        }
    }

    private struct WeakListener {
        weak var listener: Listener?
    }

    private let state = Mutex(State())

    package init() {}

    /// - Returns: who hears of the account until it goes.
    /// - Throws: ``AccountError/Code/rateLimited`` when the account has as many as it may.
    func listen(to account: AccountID) throws(AccountError) -> Listener {
        let listener = state.withLock { state -> Listener? in
            guard state.listeners[account, default: [:]].count < Self.listenersOfAccount else { return nil }
            state.next += 1
            let id = state.next
            let listener = Listener { [weak self] in self?.remove(id, of: account) }
            state.listeners[account, default: [:]][id] = WeakListener(listener: listener)
            state.tellWatcher(of: account)
            return listener
        }
        guard let listener else {
            throw AccountError(
                .rateLimited, "this account's events are listened to \(Self.listenersOfAccount) times already",
                retryAfter: .seconds(60))
        }
        return listener
    }

    /// Called after the transaction that wrote an event.
    package func ring(_ account: AccountID) {
        let listeners = state.withLock { state in
            state.listeners[account].map { $0.values.compactMap(\.listener) } ?? []
        }
        for listener in listeners { listener.ring() }
    }

    /// How many listen to an account.
    package func count(of account: AccountID) -> Int {
        state.withLock { $0.listeners[account]?.count ?? 0 }
    }

    /// How many listen to an account, now and whenever that changes. For tests, one at a time.
    package func counts(of account: AccountID) -> AsyncStream<Int> {
        let (counts, watcher) = AsyncStream.makeStream(of: Int.self)
        state.withLock { state in
            state.watchers[account] = watcher
            state.tellWatcher(of: account)
        }
        return counts
    }

    private func remove(_ id: UInt64, of account: AccountID) {
        state.withLock { state in
            state.listeners[account]?[id] = nil
            if state.listeners[account]?.isEmpty == true { state.listeners[account] = nil }
            state.tellWatcher(of: account)
        }
    }
}

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
