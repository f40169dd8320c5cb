import TaskSignals

/// The error of ``withTimeLimit(_:_:)`` when there is no result in time.
package struct TimeLimitExceeded: Error {}

/// Runs a body in a task of its own, and returns its result unless it takes too long.
///
/// A task group would wait for a body that doesn't notice its cancellation. This function leaves the body running.
/// - Parameter limit: counts as a year if it is longer.
/// - Throws: ``TimeLimitExceeded``; the error of `body`; `CancellationError` when the calling task is cancelled.
package func withTimeLimit<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let result = OneShot<Value>()
    Task {
        do {
            result.deliver(.success(try await body()))
        } catch {
            result.deliver(.failure(error))
        }
    }
    return try await result.value(within: limit, otherwise: .failure(TimeLimitExceeded()))
}
