import TaskSignals

/// The queue of notifications as several tasks share it, with a signal for the task that delivers.
final class Outbox: Sendable {
    /// The signal that is sent after every step that may make a notification due.
    let changes = ChangeSignal()
    private let guarded: Lock<NotificationQueue>

    init(queue: NotificationQueue = NotificationQueue()) {
        guarded = Lock(queue)
    }

    var queue: NotificationQueue { guarded.withLock { $0 } }

    /// Takes one step after which something may be due, and notifies.
    func change<Value: Sendable>(_ step: (inout NotificationQueue) -> Value) -> Value {
        let value = guarded.withLock { step(&$0) }
        changes.notify()
        return value
    }

    /// Takes one step that may be refused, and notifies if it was not.
    func attempt(_ step: (inout NotificationQueue) throws(Refusal) -> Void) throws(Refusal) {
        try guarded.withLock { (queue) throws(Refusal) in try step(&queue) }
        changes.notify()
    }

    /// Takes a step of a delivery. It notifies nobody, or every delivery would call for the next.
    func changeSilently<Value: Sendable>(_ step: (inout NotificationQueue) -> Value) -> Value {
        guarded.withLock { step(&$0) }
    }

    /// Notifies without a step: a time has come, or the clock was set.
    func notify() { changes.notify() }
}
