import Logging
import TaskSignals

/// A log whose lines a test can wait for.
final class EventLog: LogHandler {
    private struct State {
        var lines = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let ready = state.withLock { state in
            state.lines += 1
            let ready = state.watchers.filter { $0.count <= state.lines }
            state.watchers.removeAll { $0.count <= state.lines }
            return ready
        }
        for watcher in ready { watcher.continuation.resume() }
    }

    /// Returns once so many lines have been logged in all.
    func waitForLines(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.lines >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
