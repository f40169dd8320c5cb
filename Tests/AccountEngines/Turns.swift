import TaskSignals

/// A limit on how many tests use the database server at a time. The others wait in order: the server has a limited
/// number of connections, and tests begin together.
package actor Turns {
    /// No turn became free in time. Perhaps something holds on to databases of tests that are over.
    package struct NoneFree: Error {
        let limit: Duration
    }

    private var free: Int
    private var waiting: [OneShot<Void>] = []

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
        let turn = OneShot<Void>()
        waiting.append(turn)
        do {
            try await turn.value(within: limit, otherwise: .failure(NoneFree(limit: limit)))
        } catch {
            waiting.removeAll { $0 === turn }
            // If the task was cancelled just when it got the turn, the next one has it.
            turn.deliver(.failure(error))
            if (try? await turn.value()) != nil { end() }
            throw error
        }
    }

    package func end() {
        while !waiting.isEmpty {
            // A task whose time was over has its result already, and takes no turn.
            if waiting.removeFirst().deliver() { return }
        }
        free += 1
    }
}
