import AccountService
import Logging
import ServiceLifecycle
import TaskSignals
import Testing

@Suite("Work that must be finished")
struct FinishingWorkTests {
    /// Opens once and lets everyone through from then on.
    private struct Gate: Sendable {
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() {
            (stream, continuation) = AsyncStream.makeStream()
        }

        func open() { continuation.finish() }

        func pass() async {
            // In a task of its own: a stream ends early for a task that is cancelled.
            await Task { for await _ in stream {} }.value
        }
    }

    private final class Flag: Sendable {
        let isSet = Lock(false)
    }

    @Test("goes on when the caller is cancelled")
    func cancellation() async throws {
        let work = FinishingWork()
        let (begun, released) = (Gate(), Gate())
        let caller = Task {
            try await work.perform {
                begun.open()
                await released.pass()
                return Task.isCancelled
            }
        }
        await begun.pass()
        caller.cancel()
        released.open()
        #expect(try await caller.value == false)
    }

    @Test("delays a shutdown until it has finished")
    func shutdown() async throws {
        let work = FinishingWork()
        let (begun, released) = (Gate(), Gate())
        let flag = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let services = ServiceGroup(services: [work], logger: Logger(label: "test"))
            group.addTask {
                try await services.run()
                #expect(flag.isSet.withLock { $0 })
            }
            group.addTask {
                try await work.perform {
                    begun.open()
                    await released.pass()
                    flag.isSet.withLock { $0 = true }
                }
            }
            await begun.pass()
            await services.triggerGracefulShutdown()
            released.open()
            try await group.waitForAll()
        }
    }

    @Test("hands its error to the caller")
    func failure() async {
        await #expect(throws: AccountError(.unavailable, "")) {
            try await FinishingWork().perform { throw AccountError(.unavailable, "for a reason") }
        }
    }
}
