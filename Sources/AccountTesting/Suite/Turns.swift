/// Lets so many in at a time and has the others wait, in their order: a server of databases has only so many
/// connections, and tests all begin at once.
package actor Turns {
    /// Nobody has ended in time: perhaps something keeps what belongs to tests that are over.
    package struct NoneFree: Error {
        let limit: Duration
    }

    private var free: Int
    private var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    private var nextNumber = 0

    package init(_ count: Int) {
        free = count
    }

    /// Waits for a turn. Whoever has one gives it back with ``end()``, and asks for no second one in the meantime.
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

    /// Does nothing for who has a turn by now.
    private func giveUp(_ number: Int, _ error: any Error) {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: place).continuation.resume(throwing: error)
    }
}
