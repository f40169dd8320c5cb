import Foundation
import TaskSignals

/// One run of a flow, and the reason if the app or a newer run ended it.
final class FlowRun: Sendable {
    private struct State {
        var work: Task<AppleIDCredentialValues, any Error>?
        var ending: ASAuthorizationError.Reason?
    }

    private let state = Lock(State())

    /// The first reason that was given.
    var ending: ASAuthorizationError.Reason? { state.withLock { $0.ending } }

    func start(_ work: Task<AppleIDCredentialValues, any Error>) {
        let isEnded = state.withLock { state in
            state.work = work
            return state.ending != nil
        }
        if isEnded { work.cancel() }
    }

    func end(_ reason: ASAuthorizationError.Reason) {
        let work = state.withLock { state in
            state.ending = state.ending ?? reason
            return state.work
        }
        work?.cancel()
    }
}

/// The authorization that a performer is busy with, if any.
final class RunningAuthorization: Sendable {
    private let current = Lock<FlowRun?>(nil)

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

/// The clock of a flow, which tests replace.
package struct FlowTime: Sendable {
    package var now: @Sendable () -> Date
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    package static let system = Self(now: { Date() }, sleep: { try await Task.sleep(for: $0) })
}
