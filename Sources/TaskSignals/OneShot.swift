/// A result that is delivered once, to every task that waits for it.
///
/// A delivery after the first one is dropped. A task that waits after the delivery gets the result at once. A task that
/// is cancelled stops waiting; the result stays to be delivered to the others.
package final class OneShot<Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value, any Error>

    private struct State {
        /// The delivered result; nil before the delivery.
        var result: Result<Value, any Error>?
        var waiters: [UInt64: Waiter] = [:]
        var lastWaiter: UInt64 = 0
    }

    private let state = Lock(State())

    /// Makes a result that has not been delivered.
    package init() {}

    /// Delivers the result, unless one has been delivered already.
    /// - Returns: whether this was the first delivery.
    @discardableResult
    package func deliver(_ result: Result<Value, any Error>) -> Bool {
        let waiters = state.withLock { state -> [Waiter]? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        guard let waiters else { return false }
        for waiter in waiters { waiter.resume(with: result) }
        return true
    }

    /// Waits for the result.
    /// - Throws: the delivered error, or `CancellationError` as soon as the calling task is cancelled.
    package func value() async throws -> Value {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let known = state.withLock { state -> Result<Value, any Error>? in
                    if let result = state.result { return result }
                    // The handler below may have run before this waiter was there.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters[id] = waiter
                    return nil
                }
                if let known { waiter.resume(with: known) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// Waits for the result, and delivers another one when the time is over.
    ///
    /// A task group with a timer would wait for work that does not notice its cancellation. This method does not.
    /// - Parameters:
    ///   - limit: counts as a year if it is longer.
    ///   - sleep: waits for the time. When it throws, there is no time limit.
    ///   - late: the result after the time limit.
    /// - Throws: what ``value()`` throws.
    package func value(
        within limit: Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        otherwise late: Result<Value, any Error>
    ) async throws -> Value {
        let timer = Task {
            try await sleep(min(limit, .maximumSleep))
            deliver(late)
        }
        defer { timer.cancel() }
        return try await value()
    }

    /// Returns when any result was delivered, or as soon as the calling task is cancelled.
    package func wait() async {
        // The error is the delivered one or the cancellation, and both end the wait.
        _ = try? await value()
    }

    /// Returns when any result was delivered, even if the calling task is cancelled before.
    package func waitDespiteCancellation() async {
        // The cancellation of the caller does not reach this task.
        await Task { await wait() }.value
    }
}

extension Duration {
    /// The longest time that a task may sleep: a year. `Task.sleep` ends the program if it gets one of the largest durations.
    package static let maximumSleep: Duration = .seconds(31_536_000)
}

extension OneShot<Void> {
    /// Wakes every task that waits, now or later.
    /// - Returns: whether this was the first delivery.
    @discardableResult
    package func deliver() -> Bool {
        deliver(.success(()))
    }
}
