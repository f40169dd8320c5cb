import TaskSignals

/// The answer of somebody else's code, unless it takes too long.
///
/// A task group would wait for code that does not notice that it was cancelled; here it is left behind.
package enum FirstAnswer<Answer: Sendable> {
    /// There was no answer in time.
    package struct TooLate: Error {}

    /// Runs a body in a task of its own and waits for its answer, up to a time limit.
    /// - Throws: ``TooLate``, what `body` throws, and `CancellationError` when the calling task is cancelled.
    package static func of(
        within limit: Duration, _ body: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let first = OneShot<Answer>()
        Task {
            do {
                first.deliver(.success(try await body()))
            } catch {
                first.deliver(.failure(error))
            }
        }
        return try await first.value(within: limit, otherwise: .failure(TooLate()))
    }
}
