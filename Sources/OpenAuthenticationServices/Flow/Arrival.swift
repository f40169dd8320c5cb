import Synchronization

/// One value that somebody waits for and somebody else brings, once. What comes later is dropped.
///
/// Waiting ends with a `CancellationError` as soon as the waiting task is cancelled, whatever the other side does.
package final class Arrival<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case arrived(Result<Value, any Error>)
    }

    private let state = Mutex(State.open)

    package init() {}

    /// - Returns: whether this was the first.
    @discardableResult
    package func deliver(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Value, any Error>?) in
            switch state {
            case .open:
                state = .arrived(result)
                return (true, nil)
            case .awaited(let continuation):
                state = .arrived(result)
                return (true, continuation)
            case .arrived:
                return (false, nil)
            }
        }
        waiting?.resume(with: result)
        return isFirst
    }

    /// For one waiting task; it may ask again once the value is there.
    package func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let early = state.withLock { state -> Result<Value, any Error>? in
                    switch state {
                    case .open:
                        state = .awaited(continuation)
                        return nil
                    case .awaited:
                        return .failure(CancellationError())
                    case .arrived(let result):
                        return result
                    }
                }
                if let early { continuation.resume(with: early) }
            }
        } onCancel: {
            deliver(.failure(CancellationError()))
        }
    }
}
