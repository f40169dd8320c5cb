import Synchronization

/// The queue as several tasks share it, with a bell for who delivers.
final class Outbox: Sendable {
    private struct Guarded {
        var queue: NotificationQueue
        var bells: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextBell = 0
    }

    private let guarded: Mutex<Guarded>

    init(queue: NotificationQueue = NotificationQueue()) {
        guarded = Mutex(Guarded(queue: queue))
    }

    var queue: NotificationQueue { guarded.withLock { $0.queue } }

    /// Takes one step after which something may be due, and rings.
    func change<Value: Sendable>(_ step: (inout NotificationQueue) -> Value) -> Value {
        let (value, bells) = guarded.withLock { (step(&$0.queue), Array($0.bells.values)) }
        for bell in bells { bell.yield() }
        return value
    }

    /// Takes one step that may be refused, and rings if it was not.
    func attempt(_ step: (inout NotificationQueue) throws(Refusal) -> Void) throws(Refusal) {
        let bells = try guarded.withLock { (guarded) throws(Refusal) in
            try step(&guarded.queue)
            return Array(guarded.bells.values)
        }
        for bell in bells { bell.yield() }
    }

    /// Takes a step of a delivery. It is silent, or every delivery would call for the next.
    func advance<Value: Sendable>(_ step: (inout NotificationQueue) -> Value) -> Value {
        guarded.withLock { step(&$0.queue) }
    }

    /// Rings without a step: a time has come, or the clock was set.
    func ring() { change { _ in } }

    /// Rings once at the beginning, and after every step; rings that nobody has heard yet are one.
    func bell() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = guarded.withLock { guarded in
            guarded.nextBell += 1
            guarded.bells[guarded.nextBell] = continuation
            return guarded.nextBell
        }
        continuation.onTermination = { [weak self] _ in
            self?.guarded.withLock { _ = $0.bells.removeValue(forKey: number) }
        }
        continuation.yield()
        return stream
    }
}
