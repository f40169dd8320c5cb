/// A limit on how many tests use the database server at a time. The others wait in order: the server has a limited
/// number of connections, and tests begin together.
package actor Turns {
    /// No turn became free in time. Perhaps something holds on to databases of tests that are over.
    package struct NoneFree: Error {
        let limit: Duration
    }

    private var free: Int
    private var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    private var nextNumber = 0

    package init(_ count: Int) {
        free = count
    }

    /// Waits for a turn. The caller gives it back with ``end()``, and asks for no second one in the meantime.
    /// - Throws: ``NoneFree`` after the limit, `CancellationError` when the task is cancelled; without a turn.
    package func begin(within limit: Duration = .seconds(300)) async throws {
        guard free == 0 else {
            free -= 1
            return
        }
        let number = nextNumber
        nextNumber += 1
        let timer = Task {
            try await Task.sleep(for: limit)
            giveUp(number, NoneFree(limit: limit))
        }
        defer { timer.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    waiting.append((number, continuation))
                }
            }
        } onCancel: {
            Task { await self.giveUp(number, CancellationError()) }
        }
    }

    package func end() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().continuation.resume()
        }
    }

    /// Does nothing if the caller has a turn by now.
    private func giveUp(_ number: Int, _ error: any Error) {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: place).continuation.resume(throwing: error)
    }
}
