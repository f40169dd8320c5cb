import Synchronization

/// One value that changes, told to whoever waits for a newer one than it has seen.
final class SessionBroadcast: Sendable {
    private typealias Waiting = CheckedContinuation<(SessionState, Int)?, Never>

    private struct Content {
        var latest: SessionState?
        /// Zero until there is a state; grows by one with each.
        var version = 0
        var isFinished = false
        var waiting: [Int: Waiting] = [:]
        var nextTicket = 0
    }

    private let content = Mutex(Content())

    /// Tells nobody when nothing has changed.
    func publish(_ state: SessionState) {
        let (waiting, version) = content.withLock { content -> ([Waiting], Int) in
            guard content.latest != state else { return ([], content.version) }
            content.latest = state
            content.version += 1
            defer { content.waiting = [:] }
            return (Array(content.waiting.values), content.version)
        }
        for waiting in waiting {
            waiting.resume(returning: (state, version))
        }
    }

    func finish() {
        let waiting = content.withLock { content -> [Waiting] in
            content.isFinished = true
            defer { content.waiting = [:] }
            return Array(content.waiting.values)
        }
        for waiting in waiting {
            waiting.resume(returning: nil)
        }
    }

    /// The latest state as soon as it is newer than the version seen; nil when there will be none, or the task is
    /// cancelled.
    func next(after seen: Int) async -> (SessionState, Int)? {
        let ticket = content.withLock { content in
            content.nextTicket += 1
            return content.nextTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = content.withLock { content -> (SessionState, Int)?? in
                    if Task.isCancelled || content.isFinished { return .some(nil) }
                    if let latest = content.latest, content.version > seen { return (latest, content.version) }
                    content.waiting[ticket] = continuation
                    return .none
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiting = content.withLock { $0.waiting.removeValue(forKey: ticket) }
            waiting?.resume(returning: nil)
        }
    }
}
