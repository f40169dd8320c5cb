import AppleID
import ServiceLifecycle
import TaskSignals

/// Work that must be finished once begun: neither a client that leaves nor a shutdown stops it.
///
/// A sign-in uses up what exists once: an attempt, a code of Apple's, a name. The work after that must not depend on
/// somebody who waits. It runs in a task of its own, and the process ends only when every such task has ended. What a task
/// calls has time limits, so the task ends. That takes more than a minute if it must write a token of Apple's and the
/// database doesn't answer.
package final class FinishingWork: Service {
    /// The maximum number of operations that may be left out and run at once. Anybody can begin them, and each holds memory
    /// while the database doesn't answer.
    static let maximumOptional = 4_096

    private struct State {
        var running = 0
        /// Those among them that may be left out.
        var optional = 0
        /// Delivered, and replaced by a new one, when nothing is running any more.
        var idle = OneShot<Void>()
    }

    private let state = Lock(State())

    package init() {}

    /// Runs an operation to its end, even when the calling task is cancelled meanwhile.
    package func perform<Result: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        state.withLock { $0.running += 1 }
        return try await Task {
            defer { ended() }
            return try await operation()
        }.value
    }

    /// Begins an operation for whose end nobody waits but a shutdown.
    func begin(_ operation: @escaping @Sendable () async -> Void) {
        state.withLock { $0.running += 1 }
        Task {
            defer { ended() }
            await operation()
        }
    }

    /// Begins an operation that may be left out, like ``begin(_:)``.
    /// - Returns: false, and nothing is done, where ``maximumOptional`` of these operations are running.
    func beginOptional(_ operation: @escaping @Sendable () async -> Void) -> Bool {
        let isTaken = state.withLock { state in
            guard state.optional < Self.maximumOptional else { return false }
            state.optional += 1
            return true
        }
        guard isTaken else { return false }
        begin { [self] in
            await operation()
            state.withLock { $0.optional -= 1 }
        }
        return true
    }

    /// Stays until the shutdown, and then until nothing is running any more.
    package func run() async {
        // If the group was cancelled rather than shut down, what is running is waited for all the same.
        await untilShutdown()
        await idle()
    }

    /// Returns when nothing is running, even if the calling task is cancelled.
    package func idle() async {
        let idle = state.withLock { $0.running > 0 ? $0.idle : nil }
        await idle?.waitDespiteCancellation()
    }

    private func ended() {
        let idle = state.withLock { state -> OneShot<Void>? in
            state.running -= 1
            guard state.running == 0 else { return nil }
            defer { state.idle = OneShot() }
            return state.idle
        }
        idle?.deliver()
    }
}

extension AppleIDEnvironment {
    /// The pauses before each attempt, a minute in all. A database that is restarted, or fails over, answers again by then.
    private static let pauses: [Duration] = [1, 2, 4, 8, 15, 30].map { .seconds($0) }

    /// Repeats a write that has failed, for about a minute. It is for what is nowhere else, such as a token that Apple gives
    /// once.
    /// - Parameter write: may be done twice, because a write whose outcome is unknown may have been done.
    /// - Throws: the error of the last attempt.
    func repeating<Result>(_ write: () async throws -> Result) async throws -> Result {
        var pauses = Self.pauses[...]
        while true {
            try await sleep(pauses.removeFirst())
            do {
                return try await write()
            } catch  where !pauses.isEmpty {
                // The caller gets the last failure only.
            }
        }
    }
}
