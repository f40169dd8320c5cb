import Dispatch
import Synchronization

/// Ends the reading of bodies that take too long: one clock for all that are under way.
///
/// A timer for each would wake an event loop twice a request, for something that hardly ever happens. So a deadline is
/// met up to a tenth of the limit late; nothing runs while no body is being read.
final class BodyDeadlines: Sendable {
    private struct State {
        var nextNumber: UInt64 = 0
        var readings: [UInt64: Reading] = [:]
        var isWatching = false
    }

    private struct Reading {
        let deadline: ContinuousClock.Instant
        let cancel: @Sendable () -> Void
    }

    private let limit: Duration
    private let state = Mutex(State())

    init(limit: Duration) {
        self.limit = limit
    }

    /// - Parameter cancel: called once the limit is over, unless ``end(_:)`` was called before.
    /// - Returns: what to call ``end(_:)`` with.
    func begin(_ cancel: @escaping @Sendable () -> Void) -> UInt64 {
        let (number, isFirst) = state.withLock { state in
            let number = state.nextNumber
            state.nextNumber += 1
            state.readings[number] = Reading(deadline: .now + limit, cancel: cancel)
            defer { state.isWatching = true }
            return (number, !state.isWatching)
        }
        if isFirst { watch() }
        return number
    }

    func end(_ number: UInt64) {
        state.withLock { _ = $0.readings.removeValue(forKey: number) }
    }

    /// By a timer, which takes nothing along of the request that happened to be the first.
    private func watch() {
        let tenth = DispatchTimeInterval.nanoseconds(Int(limit / 10 / .nanoseconds(1)))
        DispatchQueue.global().asyncAfter(deadline: .now() + tenth) {
            if self.cancelLate() { self.watch() }
        }
    }

    /// - Returns: whether any reading is left.
    private func cancelLate() -> Bool {
        let (late, isLeft) = state.withLock { state in
            let now = ContinuousClock.now
            let late = state.readings.filter { $0.value.deadline <= now }
            for number in late.keys { state.readings[number] = nil }
            state.isWatching = !state.readings.isEmpty
            return (late.values, state.isWatching)
        }
        late.forEach { $0.cancel() }
        return isLeft
    }
}
