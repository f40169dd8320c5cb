import TaskSignals

/// A signal that releases an answer that a test holds back.
///
/// ```swift
/// let signal = AuthorizationSignal()
/// let script = AuthorizationScript(.cancel.after(signal))
/// ```
public final class AuthorizationSignal: Sendable {
    private let sent = OneShot<Void>()

    /// Makes a signal that has not been sent.
    public init() {}

    /// Releases every answer that waits for this signal.
    public func send() {
        sent.deliver()
    }

    /// Returns after ``send()``, or when the task is cancelled.
    public func wait() async {
        await sent.wait()
    }
}

/// A value behind a lock, for whose changes tasks can wait.
final class Watched<Value: Sendable>: Sendable {
    private struct Content {
        var value: Value
        var waits: [ObjectIdentifier: Wait] = [:]
    }

    private struct Wait {
        let condition: @Sendable (Value) -> Bool
        let isMet = OneShot<Void>()
    }

    private let content: Lock<Content>

    init(_ value: Value) {
        content = Lock(Content(value: value))
    }

    var value: Value { content.withLock { $0.value } }

    @discardableResult
    func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        let (result, ready) = content.withLock { content in
            let result = change(&content.value)
            // The condition is checked here, because it may no longer hold when the waiting task goes on.
            let ready = content.waits.filter { $0.value.condition(content.value) }
            for id in ready.keys { content.waits[id] = nil }
            return (result, ready.values)
        }
        for wait in ready { wait.isMet.deliver() }
        return result
    }

    /// Returns once the condition holds, or when the task is cancelled.
    func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
        let wait = Wait(condition: condition)
        let id = ObjectIdentifier(wait.isMet)
        let isMet = content.withLock { content in
            if condition(content.value) { return true }
            content.waits[id] = wait
            return false
        }
        if isMet { return }
        await wait.isMet.wait()
        content.withLock { _ = $0.waits.removeValue(forKey: id) }
    }
}
