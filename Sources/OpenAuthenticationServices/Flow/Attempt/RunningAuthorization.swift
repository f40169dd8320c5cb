import Synchronization

/// The authorization that a performer is busy with, if any.
final class RunningAuthorization: Sendable {
    private let current = Mutex<FlowRun?>(nil)

    func replace(by run: FlowRun) {
        let former = current.withLock { current in
            defer { current = run }
            return current
        }
        former?.end(.superseded)
    }

    func remove(_ run: FlowRun) {
        current.withLock { current in
            if current === run { current = nil }
        }
    }
}
