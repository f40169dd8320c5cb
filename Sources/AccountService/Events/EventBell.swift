import Synchronization

/// Tells whoever waits for an account's events in this process that there may be new ones.
///
/// It carries nothing and promises nothing: what happened is read from the store, and what other servers did is found
/// by looking now and then.
public final class EventBell: Sendable {
    /// Streams of one account's events at once, in one server.
    public static let listenersOfAccount = 5

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

    public init() {}

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
    public func ring(_ account: AccountID) {
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
