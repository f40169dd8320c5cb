import TaskSignals

/// The latest state of a session, for tasks that wait for the next state.
final class SessionBroadcast: Sendable {
    private struct Content {
        var latest: SessionState?
        /// Zero until there is a state; grows by one with each.
        var version = 0
        var isFinished = false
        /// The state after the latest one; nil when there will be none.
        var next = OneShot<(SessionState, Int)?>()
    }

    private let content = Lock(Content())

    /// Gives the waiting tasks a new state. Does nothing if the state is the same, or after ``finish()``.
    func publish(_ state: SessionState) {
        let published = content.withLock { content -> (OneShot<(SessionState, Int)?>, Int)? in
            guard content.latest != state, !content.isFinished else { return nil }
            content.latest = state
            content.version += 1
            defer { content.next = OneShot() }
            return (content.next, content.version)
        }
        guard let (next, version) = published else { return }
        next.deliver(.success((state, version)))
    }

    func finish() {
        let next = content.withLock { content in
            content.isFinished = true
            return content.next
        }
        next.deliver(.success(nil))
    }

    /// The latest state as soon as it is newer than the version seen; nil when there will be none, or the task is
    /// cancelled.
    func next(after seen: Int) async -> (SessionState, Int)? {
        if Task.isCancelled { return nil }
        let (known, next) = content.withLock { content in
            let isNew = content.version > seen && !content.isFinished
            return (isNew ? content.latest.map { ($0, content.version) } : nil, content.next)
        }
        if let known { return known }
        // The only error is the cancellation.
        return (try? await next.value()) ?? nil
    }
}
