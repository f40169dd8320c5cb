import AccountEngines
import Testing

@Suite("Turns of tests at the database server", .timeLimit(.minutes(1)))
struct TurnsTests {
    /// Counts the tasks that have a turn.
    private actor Busy {
        private var now = 0
        private(set) var most = 0

        func begin() {
            now += 1
            most = max(most, now)
        }

        func end() { now -= 1 }
    }

    @Test("are limited in number at a time, and everyone gets one in the end")
    func limited() async throws {
        let (turns, busy) = (Turns(2), Busy())
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    try await turns.begin()
                    await busy.begin()
                    await Task.yield()
                    await busy.end()
                    await turns.end()
                }
            }
            try await group.waitForAll()
        }
        #expect((1...2).contains(await busy.most))
    }

    @Test("time out, and the next test that asks gets the turn")
    func timeLimit() async throws {
        let turns = Turns(1)
        try await turns.begin()
        await #expect(throws: Turns.NoneFree.self) { try await turns.begin(within: .milliseconds(1)) }
        await turns.end()
        try await turns.begin()
    }

    @Test("are not lost with a task that is cancelled while it waits, or just when it gets its turn")
    func cancellation() async throws {
        for _ in 0..<200 {
            let turns = Turns(1)
            try await turns.begin()
            let cancelled = Task { try await turns.begin() }
            let patient = Task { try await turns.begin() }
            cancelled.cancel()
            await turns.end()
            switch await cancelled.result {
            case .success: await turns.end()
            case .failure(let error): #expect(error is CancellationError)
            }
            try await patient.value
        }
    }
}
