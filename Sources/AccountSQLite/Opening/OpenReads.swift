import AccountService
import Synchronization

/// Counts the reads under way, so that closing waits for them and none begins after.
final class OpenReads: Sendable {
    private struct State {
        var count = 0
        var isStopped = false
        var whenNone: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Throws once ``stop()`` was called.
    func begin() throws {
        try state.withLock { state in
            guard !state.isStopped else { throw AccountError.databaseIsClosed }
            state.count += 1
        }
    }

    func end() {
        let waiter = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return nil as CheckedContinuation<Void, Never>? }
            defer { state.whenNone = nil }
            return state.whenNone
        }
        waiter?.resume()
    }

    /// Lets no further read begin, and returns when the last has ended. Called once.
    func stop() async {
        await withCheckedContinuation { waiter in
            let isIdle = state.withLock { state in
                state.isStopped = true
                if state.count > 0 { state.whenNone = waiter }
                return state.count == 0
            }
            if isIdle { waiter.resume() }
        }
    }
}
