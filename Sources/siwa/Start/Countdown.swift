import ServiceLifecycle
import Synchronization

/// Does something once, when it has been counted down; then stays until the shutdown.
final class Countdown: Service {
    private let remaining: Mutex<Int>
    private let (signals, signal) = AsyncStream<Void>.makeStream()
    private let action: @Sendable () async throws -> Void

    init(_ count: Int, action: @escaping @Sendable () async throws -> Void) {
        self.remaining = Mutex(count)
        self.action = action
    }

    func count() {
        let isDone = remaining.withLock { remaining in
            remaining -= 1
            return remaining == 0
        }
        if isDone { signal.finish() }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in self.signals {}
        }
        guard !Task.isShuttingDownGracefully, !Task.isCancelled else { return }
        try await action()
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            // The group ends at once: so does this.
        }
    }
}
