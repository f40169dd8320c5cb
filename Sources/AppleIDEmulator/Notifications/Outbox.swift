import Synchronization

/// The queue as several tasks share it, with a bell for who delivers.
final class Outbox: Sendable {
    private struct Guarded {
        var queue: NotificationQueue
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextListener = 0
    }

    private let guarded: Mutex<Guarded>

    init(queue: NotificationQueue = NotificationQueue()) {
        guarded = Mutex(Guarded(queue: queue))
    }

    var queue: NotificationQueue { guarded.withLock { $0.queue } }

    /// Takes one step after which something may be due, and rings.
    func change<Value: Sendable>(_ step: (inout NotificationQueue) -> Value) -> Value {
        let (value, listeners) = guarded.withLock { (step(&$0.queue), Array($0.listeners.values)) }
        for listener in listeners { listener.yield() }
        return value
    }

    /// Takes one step that may be refused, and rings if it was not.
    func attempt(_ step: (inout NotificationQueue) throws(Refusal) -> Void) throws(Refusal) {
        let listeners = try guarded.withLock { (guarded) throws(Refusal) in
            try step(&guarded.queue)
            return Array(guarded.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    /// Takes a step of a delivery. It is silent, or every delivery would call for the next.
    func changeSilently<Value: Sendable>(_ step: (inout NotificationQueue) -> Value) -> Value {
        guarded.withLock { step(&$0.queue) }
    }

    /// Rings without a step: a time has come, or the clock was set.
    func notify() { change { _ in } }

    /// Rings once at the beginning, and after every step; rings that nobody has heard yet are one.
    func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = guarded.withLock { guarded in
            guarded.nextListener += 1
            guarded.listeners[guarded.nextListener] = continuation
            return guarded.nextListener
        }
        continuation.onTermination = { [weak self] _ in
            self?.guarded.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        continuation.yield()
        return stream
    }
}
