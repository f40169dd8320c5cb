import TaskSignals

/// Notifies the listeners of an account in this process that there may be new events.
///
/// A notification carries nothing: a listener reads the events from the store. Events that other servers have written
/// cause no notification here, so a listener also looks into the store now and then.
package final class EventBell: Sendable {
    /// Streams of one account's events at once, in one server.
    package static let listenersOfAccount = 5

    private struct State {
        var next: UInt64 = 0
        var listeners: [AccountID: [UInt64: ChangeSignal]] = [:]
        var watchers: [AccountID: AsyncStream<Int>.Continuation] = [:]

        func tellWatcher(of account: AccountID) {
            watchers[account]?.yield(listeners[account]?.count ?? 0)
        }
    }

    private let state = Lock(State())

    package init() {}

    /// - Returns: a listener, which hears of the account as long as it exists.
    /// - Throws: ``AccountError/Code/rateLimited`` when the account has as many as it may.
    func listen(to account: AccountID) throws(AccountError) -> Listener {
        let listener = state.withLock { state -> Listener? in
            guard state.listeners[account, default: [:]].count < Self.listenersOfAccount else { return nil }
            state.next += 1
            let id = state.next
            let listener = Listener { [weak self] in self?.remove(id, of: account) }
            state.listeners[account, default: [:]][id] = listener.change
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

    /// Notifies the listeners of an account. Call it after the transaction that has written an event.
    package func notify(_ account: AccountID) {
        let listeners = state.withLock { state in
            state.listeners[account].map { Array($0.values) } ?? []
        }
        for listener in listeners { listener.notify() }
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
    /// Hears of the changes to one account, for one task at a time.
    final class Listener: Sendable {
        fileprivate let change = ChangeSignal()
        private let goes: @Sendable () -> Void

        fileprivate init(goes: @escaping @Sendable () -> Void) {
            self.goes = goes
        }

        deinit {
            goes()
        }

        /// Returns at a notification, at one that came since the last wait, after this long, or when the calling task is
        /// cancelled.
        func wait(upTo duration: Duration) async {
            await change.wait(upTo: duration)
        }
    }
}
