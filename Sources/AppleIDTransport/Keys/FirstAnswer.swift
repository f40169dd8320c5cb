import Synchronization

/// The answer of somebody else's code, unless it takes too long.
///
/// A task group would wait for code that does not notice that it was cancelled; here it is left behind.
final class FirstAnswer<Answer: Sendable>: Sendable {
    /// There was no answer in time.
    struct TooLate: Error {}

    private let waiter: Mutex<CheckedContinuation<Answer, any Error>?>

    private init(_ waiter: CheckedContinuation<Answer, any Error>) {
        self.waiter = Mutex(waiter)
    }

    /// - Throws: ``TooLate``, and what `body` throws.
    static func of(
        within limit: Duration, _ body: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            let first = FirstAnswer(continuation)
            let timer = Task {
                try await Task.sleep(for: limit)
                first.take(.failure(TooLate()))
            }
            Task {
                defer { timer.cancel() }
                do {
                    first.take(.success(try await body()))
                } catch {
                    first.take(.failure(error))
                }
            }
        }
    }

    /// The first one counts.
    private func take(_ answer: Result<Answer, any Error>) {
        let waiter = waiter.withLock { waiter in
            defer { waiter = nil }
            return waiter
        }
        waiter?.resume(with: answer)
    }
}
