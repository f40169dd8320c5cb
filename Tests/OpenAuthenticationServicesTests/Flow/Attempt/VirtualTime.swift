import Foundation
import TaskSignals

@testable import OpenAuthenticationServices

/// A clock that goes on when somebody sleeps: short sleeps move it and end at once, and longer ones end when it has
/// come so far.
final class VirtualTime: Sendable {
    private struct State {
        var elapsed: Duration = .zero
        var pauses: [Duration] = []
        var sleepers: [(until: Duration, end: OneShot<Void>)] = []
        var watchers: [OneShot<Void>] = []
    }

    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private let state = Lock(State())
    private let long: Duration

    /// - Parameter long: from how long on a sleep does not move the clock itself.
    init(long: Duration = .seconds(60)) {
        self.long = long
    }

    var elapsed: Duration { state.withLock { $0.elapsed } }
    /// The short sleeps there were.
    var pauses: [Duration] { state.withLock { $0.pauses } }

    /// Returns when somebody sleeps for long.
    func sleeper() async throws {
        let end = OneShot<Void>()
        state.withLock { state in
            if state.sleepers.isEmpty { state.watchers.append(end) } else { end.deliver(.success(())) }
        }
        try await end.value()
    }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.elapsed += duration
            let elapsed = state.elapsed
            defer { state.sleepers.removeAll { $0.until <= elapsed } }
            return state.sleepers.filter { $0.until <= elapsed }
        }
        due.forEach { $0.end.deliver(.success(())) }
    }

    var flowTime: FlowTime {
        FlowTime(
            now: { [self] in Self.start.addingTimeInterval(elapsed.seconds) },
            sleep: { [self] duration in
                try Task.checkCancellation()
                guard duration < long else {
                    let end = OneShot<Void>()
                    let watchers = state.withLock { state in
                        state.sleepers.append((state.elapsed + duration, end))
                        return state.watchers
                    }
                    watchers.forEach { $0.deliver(.success(())) }
                    return try await end.value()
                }
                state.withLock { $0.pauses.append(duration) }
                advance(by: duration)
            })
    }
}
