import Synchronization

/// One asking, and why it was ended from outside, if it was.
final class FlowRun: Sendable {
    private struct State {
        var work: Task<AppleIDCredentialValues, any Error>?
        var ending: ASAuthorizationError.Reason?
    }

    private let state = Mutex(State())

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
