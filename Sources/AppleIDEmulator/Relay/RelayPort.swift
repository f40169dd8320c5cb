import Synchronization

/// Where the mail server listens, for those who wait to know.
final class RelayPort: Sendable {
    private struct Guarded {
        var port: Int?
        var waiting: [AsyncStream<Never>.Continuation] = []
    }

    private let guarded = Mutex(Guarded())

    /// Nil before it listens, and after.
    var number: Int? { guarded.withLock { $0.port } }

    func set(_ port: Int?) {
        let waiting = guarded.withLock { guarded in
            guarded.port = port
            defer { guarded.waiting = [] }
            return guarded.waiting
        }
        for continuation in waiting { continuation.finish() }
    }

    /// Returns once there is one, or when the task is cancelled.
    func wait() async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        let isThere = guarded.withLock { guarded in
            if guarded.port == nil { guarded.waiting.append(continuation) }
            return guarded.port != nil
        }
        if isThere { continuation.finish() }
        for await _ in stream {}
    }
}
