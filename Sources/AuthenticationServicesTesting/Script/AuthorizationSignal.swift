import Synchronization

/// Something a test holds an answer back with, to look at what the app shows meanwhile or to cancel it.
///
/// ```swift
/// let signal = AuthorizationSignal()
/// let script = AuthorizationScript(.cancel.after(signal))
/// ```
public final class AuthorizationSignal: Sendable {
    private let isSent = Watched(false)

    /// Makes a signal that has not been sent.
    public init() {}

    /// Lets go of what waits, now and later.
    public func send() {
        isSent.update { $0 = true }
    }

    /// Returns after ``send()``, or when the task is cancelled.
    public func wait() async {
        await isSent.wait { $0 }
    }
}

/// A value behind a lock, for whose changes tasks can wait.
final class Watched<Value: Sendable>: Sendable {
    private let content: Mutex<Content>

    init(_ value: Value) {
        content = Mutex(Content(value: value))
    }

    var value: Value { content.withLock { $0.value } }

    @discardableResult
    func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        let (result, ready) = content.withLock { content in
            let result = change(&content.value)
            let ready = content.waiting.filter { $0.value.condition(content.value) }
            for id in ready.keys { content.waiting[id] = nil }
            return (result, ready.values.map(\.continuation))
        }
        for continuation in ready { continuation.resume() }
        return result
    }

    /// Returns once the condition holds, or when the task is cancelled.
    func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
        let id = content.withLock { content in
            content.lastID += 1
            return content.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancel that came before has found nobody waiting: it is seen here.
                let isReady = content.withLock { content in
                    if Task.isCancelled || condition(content.value) { return true }
                    content.waiting[id] = Waiter(condition: condition, continuation: continuation)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            content.withLock { $0.waiting.removeValue(forKey: id) }?.continuation.resume()
        }
    }

    private struct Content {
        var value: Value
        var waiting: [Int: Waiter] = [:]
        var lastID = 0
    }

    private struct Waiter {
        let condition: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }
}
