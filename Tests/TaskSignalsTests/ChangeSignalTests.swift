import TaskSignals
import Testing

/// A number that tasks share, and raise.
private final class Changes: Sendable {
    private let number = Lock(0)

    var count: Int { number.withLock { $0 } }

    func add() {
        number.withLock { $0 += 1 }
    }
}

@Suite("A signal that something may have changed", .timeLimit(.minutes(1)))
struct ChangeSignalTests {
    private let patient: Duration = .seconds(3_600)

    @Test("keeps a notification for the next wait, and several of them as one")
    func kept() async {
        let signal = ChangeSignal()
        signal.notify()
        signal.notify()
        signal.notify()
        await signal.wait()
        #expect(await isQuiet(signal))
    }

    @Test("wakes a task that waits, again and again")
    func wakes() async {
        let signal = ChangeSignal()
        for _ in 0..<100 {
            async let waiting: Void = signal.wait()
            signal.notify()
            await waiting
        }
        #expect(await isQuiet(signal))
    }

    @Test("wakes every waiting task with one notification, and keeps none of it")
    @MainActor func wakesAll() async {
        let signal = ChangeSignal()
        var begun = 0
        let tasks = (0..<50).map { number in
            Task { @MainActor in
                begun += 1
                // The main actor is left when this task waits, and not before.
                if number.isMultiple(of: 2) { await signal.wait() } else { await signal.wait(upTo: patient) }
            }
        }
        while begun < tasks.count { await Task.yield() }
        signal.notify()
        for task in tasks { await task.value }
        #expect(await isQuiet(signal))
    }

    @Test("wakes the tasks that still wait when others are cancelled")
    @MainActor func wakesOthers() async {
        let signal = ChangeSignal()
        var begun = 0
        let tasks = (0..<50).map { _ in
            Task { @MainActor in
                begun += 1
                await signal.wait()
            }
        }
        while begun < tasks.count { await Task.yield() }
        for task in tasks.prefix(25) { task.cancel() }
        signal.notify()
        for task in tasks { await task.value }
    }

    @Test("ends an undisturbed wait at its time limit, and not before")
    func timeLimit() async {
        let signal = ChangeSignal()
        let time = await ContinuousClock().measure { await signal.wait(upTo: .milliseconds(30)) }
        #expect(time >= .milliseconds(30))
        signal.notify()
        await signal.wait(upTo: patient)
    }

    @Test("loses no change between a look and a wait, however many tasks make changes")
    func noLostChange() async {
        let signal = ChangeSignal()
        let changes = Changes()
        await withTaskGroup { group in
            group.addTask {
                // Without a time limit: a lost notification would keep this task waiting.
                while changes.count < 20_000 { await signal.wait() }
            }
            for _ in 0..<20 {
                group.addTask {
                    for number in 0..<1_000 {
                        changes.add()
                        signal.notify()
                        if number.isMultiple(of: 7) { await Task.yield() }
                    }
                }
            }
        }
        #expect(changes.count == 20_000)
    }

    @Test("wakes a task that is cancelled while it waits or before")
    func cancellation() async {
        let signal = ChangeSignal()
        for _ in 0..<200 {
            let tasks = [Task { await signal.wait() }, Task { await signal.wait(upTo: patient) }]
            for task in tasks { task.cancel() }
            for task in tasks { await task.value }
        }
        #expect(await isQuiet(signal))
    }

    @Test("keeps a notification that comes after a cancelled wait, and one that a cancelled task finds")
    func afterCancellation() async {
        let signal = ChangeSignal()
        let early = Task { await signal.wait() }
        early.cancel()
        await early.value
        signal.notify()
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask { await signal.wait() }
        }
        await signal.wait()
        #expect(await isQuiet(signal))
    }

    @Test("loses no change that meets a cancellation or the end of a time")
    func race() async {
        for round in 0..<500 {
            let signal = ChangeSignal()
            let changes = Changes()
            let limit = round.isMultiple(of: 2) ? patient : .microseconds(10)
            let leaving = Task { await signal.wait(upTo: limit) }
            await withTaskGroup { group in
                group.addTask { leaving.cancel() }
                group.addTask {
                    changes.add()
                    signal.notify()
                }
                group.addTask {
                    await leaving.value
                    while changes.count == 0 { await signal.wait() }
                }
            }
        }
    }

    @Test("is a sequence with an element for each notification, and ends when the task is cancelled")
    func sequence() async {
        let signal = ChangeSignal()
        let (rounds, round) = AsyncStream<Int>.makeStream()
        let task = Task {
            var count = 0
            for await _ in signal {
                count += 1
                round.yield(count)
            }
            round.finish()
            return count
        }
        signal.notify()
        for await number in rounds {
            if number < 10 { signal.notify() } else { task.cancel() }
        }
        #expect(await task.value == 10)
    }

    /// Whether no notification is kept.
    private func isQuiet(_ signal: ChangeSignal) async -> Bool {
        await ContinuousClock().measure { await signal.wait(upTo: .milliseconds(20)) } >= .milliseconds(20)
    }
}
