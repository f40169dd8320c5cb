import TaskSignals
import Testing

@Suite("A result that is delivered once", .timeLimit(.minutes(1)))
struct OneShotTests {
    private struct Broken: Error {}
    private struct Late: Error {}

    @Test("is there for a task that waits later, as often as it asks")
    func deliveredBefore() async throws {
        let result = OneShot<Int>()
        #expect(result.deliver(.success(1)))
        for _ in 0..<3 { #expect(try await result.value() == 1) }
    }

    @Test("reaches every task that waits already")
    @MainActor func waiting() async throws {
        let result = OneShot<Int>()
        var begun = 0
        let tasks = (0..<50).map { _ in
            Task { @MainActor in
                begun += 1
                // The main actor is left when this task waits, and not before.
                return try await result.value()
            }
        }
        while begun < tasks.count { await Task.yield() }
        result.deliver(.success(7))
        for task in tasks { #expect(try await task.value == 7) }
    }

    @Test("reaches every task that waits, whether it has begun to wait before the delivery or begins after it")
    func many() async throws {
        for _ in 0..<100 {
            let result = OneShot<Int>()
            let values = try await withThrowingTaskGroup { group in
                for _ in 0..<50 { group.addTask { try await result.value() } }
                group.addTask {
                    result.deliver(.success(7))
                    return 7
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(values == Array(repeating: 7, count: 51))
        }
    }

    @Test("is the first one delivered, and the later ones are dropped")
    func first() async throws {
        let result = OneShot<Int>()
        #expect(result.deliver(.success(1)))
        #expect(!result.deliver(.success(2)))
        #expect(!result.deliver(.failure(Broken())))
        #expect(try await result.value() == 1)
    }

    @Test("is one of those that many tasks deliver at once, and the same one for every task")
    func manyDeliveries() async throws {
        for _ in 0..<100 {
            let result = OneShot<Int>()
            async let one = result.value()
            async let other = result.value()
            let accepted = await withTaskGroup(of: [Int].self) { group in
                for number in 0..<20 {
                    group.addTask { result.deliver(.success(number)) ? [number] : [] }
                }
                return await group.reduce([], +)
            }
            let values = try await [one, other]
            #expect(accepted.count == 1)
            #expect(values == accepted + accepted)
        }
    }

    @Test("may be an error")
    func failure() async {
        let result = OneShot<Int>()
        let waiting = Task { try await result.value() }
        result.deliver(.failure(Broken()))
        await #expect(throws: Broken.self) { try await waiting.value }
        await #expect(throws: Broken.self) { try await result.value() }
    }

    @Test("doesn't keep a cancelled task waiting, and still reaches the others")
    func cancellation() async throws {
        for _ in 0..<200 {
            let result = OneShot<Int>()
            let cancelled = Task { try await result.value() }
            let patient = Task { try await result.value() }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            #expect(result.deliver(.success(3)))
            #expect(try await patient.value == 3)
            #expect(try await result.value() == 3)
        }
    }

    @Test("that has been delivered reaches a cancelled task too")
    func deliveredToCancelled() async throws {
        let result = OneShot<Int>()
        let (gates, gate) = AsyncStream<Void>.makeStream()
        let task = Task {
            // Ends as soon as the task is cancelled.
            for await _ in gates {}
            return try await result.value()
        }
        result.deliver(.success(4))
        task.cancel()
        #expect(try await task.value == 4)
        gate.finish()
    }

    @Test("resumes each task once when delivery and cancellation meet")
    func race() async throws {
        for _ in 0..<500 {
            let result = OneShot<Int>()
            let tasks = (0..<4).map { _ in Task { try await result.value() } }
            await withTaskGroup { group in
                for task in tasks { group.addTask { task.cancel() } }
                group.addTask { result.deliver(.success(5)) }
            }
            for task in tasks {
                switch await task.result {
                case .success(let value): #expect(value == 5)
                case .failure(let error): #expect(error is CancellationError)
                }
            }
            #expect(try await result.value() == 5)
        }
    }

    @Test("comes before its time limit, and the timer ends with the wait")
    func inTime() async throws {
        let result = OneShot<Int>()
        let timerEnded = OneShot<Void>()
        async let value = result.value(
            within: .seconds(3_600),
            sleep: { _ in
                defer { timerEnded.deliver() }
                result.deliver(.success(1))
                // Nothing is delivered here: this wait ends with its cancellation.
                try await OneShot<Void>().value()
            }, otherwise: .failure(Late()))
        let delivered = try await value
        #expect(delivered == 1)
        await timerEnded.wait()
    }

    @Test("is the replacement after the time limit, whether an error or a value")
    func late() async throws {
        let failed = OneShot<Int>()
        await #expect(throws: Late.self) {
            try await failed.value(within: .milliseconds(1), otherwise: .failure(Late()))
        }
        #expect(!failed.deliver(.success(1)))
        let replaced = OneShot<Int>()
        #expect(try await replaced.value(within: .milliseconds(1), otherwise: .success(9)) == 9)
    }

    @Test("waits a year at most, because a task can't sleep longer")
    func endless() async throws {
        let slept = OneShot<Duration>()
        let result = OneShot<Int>()
        async let value = result.value(
            within: .seconds(Int64.max), sleep: { slept.deliver(.success($0)) }, otherwise: .success(1))
        #expect(try await slept.value() == .seconds(31_536_000))
        let delivered = try await value
        #expect(delivered == 1)
    }

    @Test("has no time limit when the sleep fails")
    func failedSleep() async throws {
        let result = OneShot<Int>()
        let slept = OneShot<Void>()
        async let value = result.value(
            within: .seconds(1),
            sleep: { _ in
                defer { slept.deliver() }
                throw Broken()
            }, otherwise: .failure(Late()))
        await slept.wait()
        result.deliver(.success(2))
        let delivered = try await value
        #expect(delivered == 2)
    }

    @Test("with a time limit is not waited for by a cancelled task")
    func cancelledBeforeLimit() async {
        let result = OneShot<Int>()
        let task = Task { try await result.value(within: .seconds(3_600), otherwise: .failure(Late())) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(result.deliver(.success(1)))
    }

    @Test("ends a wait that can't throw, like a cancellation does")
    func waitWithoutError() async {
        let failed = OneShot<Void>()
        failed.deliver(.failure(Broken()))
        await failed.wait()
        let never = OneShot<Void>()
        let task = Task { await never.wait() }
        task.cancel()
        await task.value
    }

    @Test("can be awaited despite a cancellation")
    func waitDespiteCancellation() async {
        let result = OneShot<Void>()
        let (began, returned) = (OneShot<Void>(), OneShot<Void>())
        let task = Task {
            began.deliver()
            await result.waitDespiteCancellation()
            returned.deliver()
        }
        await began.wait()
        task.cancel()
        for _ in 0..<100 { await Task.yield() }
        // This is the first delivery: the task has not returned.
        #expect(returned.deliver())
        result.deliver()
        await task.value
    }
}
